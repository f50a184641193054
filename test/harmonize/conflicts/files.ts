import { expect } from "vitest";
import { findConflicts } from "../../../src/harmonize/conflicts/conflicts.ts";
import { searchConflicts, wantConflicts } from "../../../src/harmonize/conflicts/search.ts";
import { type Conflicts, showConflicts } from "../../../src/harmonize/conflicts/shown.ts";
import type { Queue } from "../../../src/harmonize/run/queue.ts";
import { testDatabase } from "../../support/database/database.ts";
import { type MadeListing, makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";

const DIRECTORY = "https://api.example";
export const { signal } = new AbortController();

/** Creates harmonizations with conflicts on its own database. */
export async function conflictFiles() {
  const { database, url } = await testDatabase();
  const sent: object[] = [];
  const queue = { send: async (tasks: object) => void sent.push(tasks) } as unknown as Queue;
  const deps = { ...database, queue, databaseUrl: url, directoryUrl: DIRECTORY };
  let people = 0;
  const newAccount = () => makeAccount(database, `Person ${people++}`, DIRECTORY);
  const make = async (listings: MadeListing[], more: object = {}, accountId?: string) =>
    makeHarmonization(database, accountId ?? (await newAccount()), listings, { directory: DIRECTORY, ...more });

  // Small files are searched at once, large ones by a worker: both must find the same.
  async function conflicts(listings: MadeListing[], more?: object, accountId?: string): Promise<Conflicts> {
    const h = await make(listings, more, accountId);
    const findings = await findConflicts(deps, h);
    await wantConflicts(deps, h);
    await searchConflicts(deps, h, { signal });
    const where = { harmonizationId: h.id };
    const { findings: byWorker } = await database.prisma.conflictSearch.findUniqueOrThrow({ where });
    expect(byWorker).toEqual(JSON.parse(JSON.stringify(findings)));
    return showConflicts(deps, h, { id: h.accountId ?? "", isAdmin: false }, findings);
  }
  return { database, deps, sent, newAccount, make, conflicts };
}

/** Matched with this venue by the cut. */
export const on = (venue: string, more: MadeListing["more"] = {}): MadeListing => ({
  name: `Shop at ${venue}`,
  candidates: [makeCandidate(venue, 0.95)],
  more: { isClear: true, ...more },
});

export const at = (lat: number, lng: number, name = `At ${lat}, ${lng}`): MadeListing => ({
  name,
  more: { query: { name, ll: { lat, lng } } },
});

export const town = Array.from({ length: 12 }, (_, each) => at(41.8 + each / 100, -71.4 - each / 100));
