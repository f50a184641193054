import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Harmonizer } from "../run/deps.ts";
import { EXAMPLE_OF_GUESTS, type Harmonization, loadHarmonization, UUID } from "../run/harmonizations.ts";
import { changeDraft } from "./layout.ts";
import { receiveFile } from "./receive.ts";

export const EXAMPLE = path.join(import.meta.dirname, "../../../examples/listings.csv");
export const hasExample = (): boolean => existsSync(EXAMPLE);

let hash: Buffer<ArrayBuffer> | undefined;
const hashed = () => {
  hash ??= createHash("sha256").update(readFileSync(EXAMPLE)).digest();
  return hash;
};

/** Returns a person's own example, the oldest; without an account that of guests. Only the one with this `id`, if it is given. */
export async function findExample(
  deps: Pick<Harmonizer, "prisma" | "directoryUrl">,
  accountId: string | null,
  id?: string,
): Promise<Harmonization | undefined> {
  if (!hasExample() || (id !== undefined && !UUID.test(id))) return undefined;
  const own = accountId === null ? EXAMPLE_OF_GUESTS : { accountId };
  const found = await deps.prisma.harmonization.findFirst({
    where: {
      directory: deps.directoryUrl,
      hash: hashed(),
      ...own,
      state: { notIn: ["uploading", "deleting"] },
      ...(id !== undefined && { id }),
    },
    orderBy: { createdAt: "asc" },
    select: { id: true },
  });
  return found ? loadHarmonization(deps, found.id) : undefined;
}

/** Makes a draft of the example. */
export const draftExample = (deps: Harmonizer, accountId: string | null, signal: AbortSignal): Promise<string> =>
  receiveFile(deps, {
    accountId,
    signal,
    name: accountId === null ? EXAMPLE_OF_GUESTS.name : "listings.csv",
    bytes: createReadStream(EXAMPLE),
  });

/** Starts the example of guests, a draft or one that is made here, with the columns as they are guessed. Returns its id. */
export async function startExample(deps: Harmonizer, signal: AbortSignal, h?: Harmonization): Promise<string> {
  const id = h?.id ?? (await draftExample(deps, null, signal));
  const draft = h ?? (await loadHarmonization(deps, id));
  if (draft) await changeDraft(deps, draft, { columns: draft.columns, previousId: null, isNewList: true }, "start");
  return id;
}
