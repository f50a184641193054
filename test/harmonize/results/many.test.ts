import { describe, expect, test } from "vitest";
import { withOwnConnection } from "../../../src/db/own-connection.ts";
import { type ChosenList, decideMany } from "../../../src/harmonize/results/many.ts";
import { decide } from "../../../src/harmonize/review/decisions.ts";
import { lockListing } from "../../../src/harmonize/review/locks.ts";
import { lastStep, undo } from "../../../src/harmonize/review/undo.ts";
import { testDatabase } from "../../support/database/database.ts";
import { type MadeListing, makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";

const { database, url } = await testDatabase();
const DIRECTORY = "http://directory.test";
const deps = { pool: database.pool, databaseUrl: url, directoryUrl: DIRECTORY, directory: {} as never };
const ada = { id: await makeAccount(database, "Ada", DIRECTORY), isAdmin: false };
const ben = { id: await makeAccount(database, "Ben", DIRECTORY), isAdmin: false };
const make = (listings: MadeListing[], more: object = {}) =>
  makeHarmonization(database, ada.id, listings, { directory: DIRECTORY, ...more });
const rows = (harmonizationId: string) =>
  database.prisma.listing.findMany({ where: { harmonizationId }, orderBy: { number: "asc" } });
const list = (more: Partial<ChosenList> = {}): ChosenList => ({
  ...{ outcome: undefined, text: "", filter: {}, expected: undefined, seen: new Date(Date.now() + 60_000) },
  ...more,
});
const MATCHED = { decision: "matched", decidedHow: "person", decidedBy: ben.id } as const;
const LONG_AGO = new Date("2026-03-04T08:41:00Z");

const MIXED: MadeListing[] = [
  { name: "Sure", candidates: [makeCandidate("a", 0.99, { name: 3 })], more: { isClear: true, matchedAt: LONG_AGO } },
  { name: "Perhaps", candidates: [makeCandidate("b", 0.5)], more: { matchedAt: LONG_AGO } },
  { name: "Weak", candidates: [makeCandidate("c", 0.1)] },
  { name: "Alone" },
  {
    name: "Chosen by hand",
    candidates: [makeCandidate("e", 0.6)],
    more: {
      ...MATCHED,
      decidedAt: LONG_AGO,
      venueId: "hand",
      venueName: "By hand",
      why: { code: "evidence", said: ["x"] },
    },
  },
  {
    name: "Refused",
    candidates: [makeCandidate("f", 0.6)],
    more: { decision: "rejected", decidedHow: "person", decidedBy: ben.id, decidedAt: LONG_AGO },
  },
  { name: "Added", more: { ...MATCHED, decision: "added", venueId: "new", decidedAt: LONG_AGO } },
  { name: "Failed", more: { status: "failed", problem: { code: "no_name" } } },
  { name: "Pending", more: { status: "pending" } },
  {
    name: "Annotated",
    candidates: [makeCandidate("j", 0.99)],
    more: { isClear: true, matchedAt: LONG_AGO, annotatedAt: new Date() },
  },
  { name: "Skipped", candidates: [makeCandidate("k", 0.5)], more: { skippedAt: LONG_AGO } },
];
const leftOf = ({ left }: { left: { why: string; count: number }[] }) =>
  Object.fromEntries(left.map(({ why, count }) => [why, count]));

describe("one action for many listings", () => {
  test("matches each with its own best candidate, and tells which it left and why", async () => {
    const h = await make(MIXED);
    const done = await decideMany(deps, { h, person: ada }, "matched", list());
    expect(done.changed).toBe(5);
    expect(leftOf(done)).toEqual({ no_candidate: 1, same: 1, added: 1, failed: 1, pending: 1, annotated: 1 });
    const after = await rows(h.id);
    expect(after.map(({ venueId }) => venueId)).toEqual([
      "a",
      "b",
      "c",
      null,
      "hand",
      "f",
      "new",
      null,
      null,
      null,
      "k",
    ]);
    expect(after[0]).toMatchObject({
      venueName: "Venue a",
      decidedBy: ada.id,
      why: { code: "evidence", said: ["same name"] },
    });
  });

  test("leaves them without a venue, or sends them back to review, and one undo restores every column, also who decided", async () => {
    const h = await make(MIXED);
    for (const [decision, changed] of [
      ["matched", 5],
      ["rejected", 6],
      ["review", 4],
    ] as const) {
      const before = await rows(h.id);
      expect((await decideMany(deps, { h, person: ada }, decision, list())).changed, decision).toBe(changed);
      expect(await lastStep(deps, h, ada)).toMatchObject({ number: 1, listings: changed });
      expect(await undo(deps, h, ada)).toMatchObject({ restored: changed, changed: 0 });
      expect(await rows(h.id), decision).toEqual(before);
    }
    expect(await undo(deps, h, ada)).toBeUndefined();
  });

  test("sends back to review what its score had accepted, and no cut accepts it again", async () => {
    const h = await make(MIXED);
    const done = await decideMany(deps, { h, person: ada }, "review", list());
    expect(leftOf(done)).toEqual({ no_candidate: 2, same: 1, added: 1, failed: 1, pending: 1, annotated: 1 });
    const after = await rows(h.id);
    expect(after[0]).toMatchObject({ decision: null, isClear: false, why: { code: "sent_back" }, decidedBy: ada.id });
    expect(after[4]).toMatchObject({ decision: null, venueId: null, venueName: null });
    expect(after[10]).toMatchObject({ decision: null, skippedAt: null });
  });

  test("takes only what the filters show", async () => {
    const h = await make(MIXED);
    const { changed } = await decideMany(
      deps,
      { h, person: ada },
      "rejected",
      list({ outcome: "review", text: "PERH" }),
    );
    expect(changed).toBe(1);
    expect((await rows(h.id)).flatMap(({ number, decidedBy }) => (decidedBy === ada.id ? [number] : []))).toEqual([2]);
  });

  test("changes nothing if the list has more listings than the person was told", async () => {
    const h = await make(MIXED);
    const before = await rows(h.id);
    const wish = decideMany(deps, { h, person: ada }, "rejected", list({ expected: 10 }));
    await expect(wish).rejects.toThrow("There are now 11 rows.");
    expect(await rows(h.id)).toEqual(before);
    expect((await decideMany(deps, { h, person: ada }, "rejected", list({ expected: 11 }))).changed).toBe(6);
  });

  test.each(["matching", "adding", "annotating", "undoing"] as const)(
    "is refused while the run is %s",
    async (state) => {
      const h = await make(MIXED, { state });
      const before = await rows(h.id);
      const chosen = [list(), { rows: [{ number: 1, changedAt: LONG_AGO }] }];
      for (const each of chosen)
        await expect(decideMany(deps, { h, person: ada }, "rejected", each)).rejects.toThrow(
          "is still being processed",
        );
      expect(await rows(h.id)).toEqual(before);
    },
  );

  test("leaves listings that another person has open", async () => {
    const h = await make(MIXED);
    await lockListing(deps, { h, person: ben, number: 2 });
    const done = await decideMany(deps, { h, person: ada }, "rejected", list({ outcome: "review" }));
    expect([done.changed, leftOf(done)]).toEqual([1, { open: 1 }]);
  });

  test("F57: what another person decides after the list was shown stays, for rows and for filters, and is reported", async () => {
    const h = await make(MIXED);
    const { rows: at } = await database.pool.query<{ now: Date }>("SELECT now()");
    const seen = at[0]?.now ?? new Date();
    await decide(deps, { h, person: ben, number: 2 }, { decision: "rejected", seen: LONG_AGO });
    const byRows = { rows: [1, 2].map((number) => ({ number, changedAt: LONG_AGO })) };
    const done = await decideMany(deps, { h, person: ada }, "matched", byRows);
    expect([done.changed, leftOf(done)]).toEqual([1, { changed: 1 }]);
    await undo(deps, h, ada);
    expect(leftOf(await decideMany(deps, { h, person: ada }, "matched", list({ seen })))).toMatchObject({ changed: 1 });
    expect((await rows(h.id))[1]).toMatchObject({ decision: "rejected", decidedBy: ben.id });
  });

  test("F57: of two people who decide the same listings at once, each listing has one decision, and each undo restores their own", async () => {
    const h = await make(
      Array.from({ length: 300 }, (_, at) => ({ name: `Shop ${at}`, candidates: [makeCandidate(`v${at}`, 0.6)] })),
    );
    const { rows: at } = await database.pool.query<{ now: Date }>("SELECT now()");
    const seen = at[0]?.now;
    const wish = list({ expected: 300, ...(seen && { seen }) });
    const both = await Promise.all([
      decideMany(deps, { h, person: ada }, "matched", wish),
      decideMany(deps, { h, person: ben }, "rejected", wish),
    ]);
    expect(both.map(({ changed }) => changed).sort((a, b) => a - b)).toEqual([0, 300]);
    expect(both.flatMap(({ left }) => left)).toEqual([{ why: "changed", count: 300 }]);
    const winner = both[0]?.changed === 300 ? ada : ben;
    expect(await undo(deps, h, winner)).toMatchObject({ restored: 300, changed: 0 });
    expect((await rows(h.id)).every(({ decision, venueId }) => decision === null && venueId === null)).toBe(true);
  });

  test("decides 8,000 listings by filter and undoes them, even if PostgreSQL's statistics are from small files", async () => {
    for (let files = 0; files < 20; files += 1) await make(MIXED);
    const h = await make([], { listingCount: 8000 });
    await withOwnConnection(url, { name: "test", statementMs: 60_000 }, async (client) => {
      await client.query("SELECT app.analyze_listings()");
      await client.query(
        `INSERT INTO app.listing (harmonization_id, number, line, cells, query, status, score, best_id, candidates, pattern)
         SELECT $1, n, n + 1, ARRAY['Shop ' || n], '{"name": "Shop"}', 'asked', 0.6, 'v' || n,
                jsonb_build_array(jsonb_build_object('id', 'v' || n, 'name', 'Venue ' || n, 'evidence', '[]'::jsonb)), 'name+'
           FROM generate_series(1, 8000) AS n`,
        [h.id],
      );
    });
    expect(await decideMany(deps, { h, person: ada }, "matched", list({ expected: 8000 }))).toEqual({
      changed: 8000,
      left: [],
    });
    expect(await undo(deps, h, ada)).toMatchObject({ restored: 8000, changed: 0 });
  });
});
