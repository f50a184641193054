import { describe, expect, test } from "vitest";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import { wordsOf } from "../../../src/harmonize/run/problems/words.ts";
import { type MadeListing, makeCandidate } from "../rows.ts";
import { missing, startBridges } from "./bridges.ts";

const bridges = await startBridges();
const { list, send, run, listings, outcomes, others, database } = bridges;

const plain = (names: string[]): MadeListing[] => names.map((name) => ({ name }));
const shops = (count: number) => plain(Array.from({ length: count }, (_, at) => `Shop ${at + 1}`));

describe("an exported bridge file that is read back", () => {
  test.each(["bridge-csv", "bridge-parquet"] as const)("as %s gives the same decisions", async (format) => {
    const clear = { isClear: true };
    const source = await list([
      { name: "Accepted", candidates: [makeCandidate("v1", 0.95)], more: clear },
      { name: "Formula", candidates: [makeCandidate("v2", 0.95)], more: { ...clear, ownId: "=1+1" } },
      { name: "مقهى", candidates: [makeCandidate("v3", 0.95)], more: { ...clear, ownId: "مقهى ١" } },
      { name: "Undecided", candidates: [makeCandidate("v4", 0.5)] },
    ]);
    const file = await bridges.exported(source, format);
    const other = await list([
      ...plain(["Accepted"]),
      { name: "Formula", more: { ownId: "=1+1" } },
      { name: "مقهى", more: { ownId: "مقهى ١" } },
      ...plain(["Undecided"]),
    ]);
    await send(other, file, { name: `b.${format.slice(7)}` });
    await run(other);
    const found = (await listings(other)).map(({ ownId, venueId, venueName }) => [ownId, venueId, venueName]);
    expect(found).toEqual([
      ["own-1", "v1", "Venue v1"],
      ["=1+1", "v2", "Venue v2"],
      ["مقهى ١", "v3", "Venue v3"],
      ["own-4", null, null],
    ]);
    const mapping = async (h: typeof other) =>
      (await bridges.exported(h, "mapping-csv"))
        .toString()
        .split("\r\n")
        .map((line) => line.split(",").slice(0, 3));
    expect(await mapping(other)).toEqual(await mapping(source));
  });
});

test("every row of a bridge file decides its listing, or says why it does not", async () => {
  Object.assign(others, {
    old: { id: "new" },
    shut: { closed: true },
    none: { error: missing() },
    odd: { error: new DirectoryError("invalid_answer") },
  });
  const h = await list([
    ...shops(8),
    { name: "Here", more: { decision: "matched", venueId: "mine", decidedHow: "person" } },
    { name: "Agreed", more: { decision: "matched", venueId: "v1", decidedHow: "person" } },
  ]);
  const rows = [
    ...["own-1,v1", "own-1,v1", "own-2,old", "own-3,shut", "own-4,none", "own-5,v1", "own-5,v2", "stranger,v1"],
    ...["own-6@12,v3", ",v1", "own-7,", "own-8,odd", "own-9,v1", "own-10,v1"],
  ];
  await send(h, `record_id,id\n${rows.join("\n")}\n`);
  await run(h);
  expect(await outcomes(h)).toEqual([
    ...["own-1 v1 decided", "own-1 v1 repeated", "own-2 old decided", "own-3 shut closed", "own-4 none unknown_venue"],
    ...["own-5 v1 several_venues", "own-5 v2 several_venues", "stranger v1 unknown_listing", "own-6@12 v3 decided"],
    ...[" v1 unreadable", "own-7  unreadable", "own-8 odd unanswered", "own-9 v1 decided_here", "own-10 v1 agrees"],
  ]);
  const decided = (await listings(h)).map(({ venueId }) => venueId);
  expect(decided).toEqual(["v1", "new", null, null, null, "v3", null, null, "mine", "v1"]);
  const [, merged] = await listings(h);
  expect(merged).toMatchObject({ decision: "matched", decidedHow: "many", decidedBy: bridges.ada });
  expect(wordsOf(merged?.why as never)).toBe(
    "decided elsewhere, imported from “bridge.csv” (there old, since merged into this venue)",
  );
  const { counts, isAtWork } = (await bridges.bridge(h)) ?? {};
  expect(isAtWork).toBe(false);
  expect(counts?.find(({ outcome }) => outcome === "decided")).toMatchObject({ rows: 3, merged: 1 });
  expect(counts?.reduce((sum, each) => sum + each.rows, 0)).toBe(rows.length);
});

test("C73: the decisions of a bridge file name the source of each venue, in exports and in the rows of the file", async () => {
  Object.assign(others, { v1: { source: { attribution: "Data from Meta" } } });
  const h = await list(shops(2));
  await send(h, "id,record_id\nv1,own-1\nv2,own-2\n");
  await run(h);
  const mapping = (await bridges.exported(h, "mapping-csv")).toString().trim().split("\r\n");
  expect(mapping.map((line) => line.split(",").at(-1))).toEqual(["attribution", "Data from Meta", ""]);
  expect((await bridges.rows(h)).map(({ nowCredit }) => nowCredit)).toEqual(["Data from Meta", null]);
});

test("the decisions of a bridge file are undone together, except those changed since", async () => {
  const h = await list([
    ...shops(2),
    { name: "Third", candidates: [makeCandidate("v7", 0.95)], more: { isClear: true } },
  ]);
  await send(h, "id,record_id\na,own-1\nb,own-2\nc,own-3\n");
  await run(h);
  const where = { harmonizationId_number: { harmonizationId: h.id, number: 2 } };
  await database.prisma.listing.update({ where, data: { venueId: "later", decidedAt: new Date() } });
  await bridges.undo(h);
  const left = (await listings(h)).map(({ decision, venueId, why }) => [decision, venueId, why !== null]);
  expect(left).toEqual([
    [null, null, false],
    ["matched", "later", true],
    [null, null, false],
  ]);
  expect((await bridges.bridge(h))?.isAtWork).toBe(false);
});

test("taking over goes on after the worker was killed, and decides no listing twice", async () => {
  const h = await list(shops(1200));
  await send(h, `id,record_id\n${Array.from({ length: 1200 }, (_, at) => `v${at},own-${at + 1}`).join("\n")}\n`);
  const killed = new AbortController();
  const { venues } = bridges.deps.directory;
  let calls = 0;
  bridges.deps.directory.venues = async (...asking) => {
    calls += 1;
    if (calls === 2) killed.abort();
    return venues(...asking);
  };
  await expect(run(h, killed.signal)).rejects.toThrow();
  bridges.deps.directory.venues = venues;
  expect((await bridges.bridge(h))?.counts.find(({ outcome }) => outcome === "found")?.rows).toBe(1000);
  bridges.asked.length = 0;
  await Promise.all([run(h), run(h)]); // two workers, if the first only seemed dead
  const { length } = (await listings(h)).filter(({ venueId, number }) => venueId === `v${number - 1}`);
  expect(length).toBe(1200);
  expect(await database.prisma.decisionStep.count({ where: { harmonizationId: h.id } })).toBe(1200);
  expect(bridges.asked.flat()).not.toContain("v0");
});

test("while the directory limits calls, taking over waits, says why, and then goes on", async () => {
  const h = await list(shops(1));
  others.late = { error: new DirectoryError("rate_limited", undefined, { retryAfter: 7 }) };
  await send(h, "id,record_id\nlate,own-1\n");
  await run(h);
  expect(await bridges.bridge(h)).toMatchObject({ isAtWork: true, problem: { code: "rate_limited", wait: 7 } });
  delete others.late;
  await run(h);
  expect(await bridges.bridge(h)).toMatchObject({ isAtWork: false, problem: null });
  expect((await listings(h))[0]?.venueId).toBe("late");
});
