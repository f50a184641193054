import type { Database } from "../../src/db/database.ts";
import type { PauseReason } from "../../src/db/generated/enums.ts";
import { makeHarmonization } from "../harmonize/rows.ts";

/** Those that a worker does not end by itself. */
const PAUSES = ["person", "directory"] as const satisfies PauseReason[];

/** Paths of files that wait, by what for, and of one that was cancelled. */
export type Runs = Record<(typeof PAUSES)[number] | "cancelled", string>;

/** Adds files of a member that no worker goes on with. */
export async function addRuns(database: Database, { api, handle }: { api: string; handle: string }): Promise<Runs> {
  const { id: accountId } = await database.prisma.account.findFirstOrThrow({ where: { handle } });
  const listings = [{ name: "Done" }, { name: "Waiting", more: { status: "pending" as const } }];
  const add = async (name: string, more: { state: "matching" | "cancelled"; pausedFor?: PauseReason }) => {
    const { id } = await makeHarmonization(database, accountId, listings, { directory: api, name, ...more });
    return [name, `/harmonizations/${id}`] as const;
  };
  const paused = PAUSES.map((pausedFor) => add(pausedFor, { state: "matching", pausedFor }));
  return Object.fromEntries(await Promise.all([...paused, add("cancelled", { state: "cancelled" })])) as Runs;
}
