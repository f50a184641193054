import { expect, test } from "vitest";
import { decide } from "../../../src/harmonize/review/decisions.ts";
import { reviewListing } from "../../../src/harmonize/review/listing.ts";
import { undoSteps } from "../../../src/harmonize/review/steps.ts";
import type { Harmonizer } from "../../../src/harmonize/run/deps.ts";
import type { Harmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { takeUndone } from "../../../src/harmonize/run/undone.ts";
import { makeAccount, makeCandidate } from "../rows.ts";
import { startFiles } from "./reader.ts";

const DIRECTORY = "http://directory.test";
const { database, deps: files, uploadAndRead, upload, read, listings } = await startFiles();
const { prisma, pool } = database;
const deps = { ...files, directory: { looksUpVenues: async () => false } } as unknown as Harmonizer;
const ann = { id: await makeAccount(database, "Ann", DIRECTORY), isAdmin: true };
const ben = { id: await makeAccount(database, "Ben", DIRECTORY), isAdmin: true };
const CSV = ["id,name,lat,lng", ...[1, 2, 3].map((at) => `s${at},Shop ${at},41.${at},-71.4`)].join("\n");

/** A first edition, of which Ann has decided each row, the first twice, and Ben the second before and the third after her. */
async function decidedFile(): Promise<Harmonization> {
  const h = await uploadAndRead(CSV, { isShared: true });
  const candidates = ["a", "b"].map((id) => makeCandidate(id, 0.6)) as never;
  await prisma.listing.updateMany({ where: { harmonizationId: h.id }, data: { status: "asked", candidates } });
  await prisma.harmonization.update({ where: { id: h.id }, data: { state: "ready" } });
  const choose = async (person: typeof ann, number: number, venueId: string) => {
    const seen = (await reviewListing(deps, { h, person, number }))?.changedAt ?? null;
    await decide(deps, { h, person, number }, { decision: "matched", venueId, seen });
  };
  await choose(ben, 2, "b");
  await choose(ann, 1, "b");
  for (const number of [1, 2, 3]) await choose(ann, number, "a");
  await choose(ben, 3, "b");
  return h;
}

const now = async ({ id }: Harmonization) => (await listings(id)).map(({ venueId }) => venueId);
const isHeldUp = async (what: string) =>
  (await pool.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ILIKE $1", [`%${what}%`]))
    .rowCount;

const next = { state: "reading" as const, isShared: true };
const LEFT = [null, "b", "b"];

test("F160: what is undone after an edition has kept it, and before it is there, is undone there, too", async () => {
  const first = await decidedFile();
  const edition = await upload(CSV, { ...next, previousId: first.id, listId: first.listId });
  const holder = await pool.connect();
  await holder.query("BEGIN");
  // The end of reading changes this row.
  await holder.query("SELECT FROM app.harmonization WHERE id = $1 FOR NO KEY UPDATE", [edition.id]);
  const reading = read(edition);
  await expect.poll(() => isHeldUp("listing_count"), { timeout: 10_000 }).toBe(1);
  await undoSteps(deps, first, ann, { by: ann.id });
  await holder.query("COMMIT");
  holder.release();
  await reading;
  expect([await now(first), await now(edition)]).toEqual([LEFT, LEFT]);
  expect(await undoSteps(deps, first, ann, { by: ann.id }), "again").toEqual({ restored: 0, kept: 0, left: 0 });
});

test("F160: an undo that begins while the end of an edition looks for what was undone waits for it", async () => {
  const first = await decidedFile();
  const edition = await uploadAndRead(CSV, { ...next, previousId: first.id, listId: first.listId });
  const reader = await pool.connect();
  await reader.query("BEGIN");
  await takeUndone(reader, edition);
  const undoing = undoSteps(deps, first, ann, { by: ann.id });
  await expect.poll(() => isHeldUp("app.list"), { timeout: 10_000 }).toBe(1);
  expect(await now(edition)).toEqual(["a", "a", "b"]);
  await reader.query("COMMIT");
  reader.release();
  expect(await undoing).toEqual({ restored: 3, kept: 3, left: 1 });
  expect([await now(first), await now(edition)]).toEqual([LEFT, LEFT]);
});
