import { describe, expect, test } from "vitest";
import { decide } from "../../../src/harmonize/review/decisions.ts";
import { decideFamily, familyOf } from "../../../src/harmonize/review/family.ts";
import { lockListing } from "../../../src/harmonize/review/locks.ts";
import { lastStep, undo } from "../../../src/harmonize/review/undo.ts";
import { testDatabase } from "../../support/database/database.ts";
import { type MadeListing, makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";

const { database, url } = await testDatabase();
const DIRECTORY = "http://directory.test";
const deps = { pool: database.pool, databaseUrl: url, directoryUrl: DIRECTORY, directory: {} as never };
const ada = { id: await makeAccount(database, "Ada", DIRECTORY), isAdmin: false };
const ben = { id: await makeAccount(database, "Ben", DIRECTORY), isAdmin: false };

const listing = (id: string, weights: Record<string, number>, more: object = {}): MadeListing => ({
  name: `Shop ${id}`,
  candidates: [makeCandidate(id, 0.6, weights), makeCandidate(`${id}b`, 0.3)],
  more,
});
const OTHER_PHONE = { name: 2.5, phone: -1, zip: 0.1 };
const make = (listings: MadeListing[]) => makeHarmonization(database, ada.id, listings, { directory: DIRECTORY });
const NOW = new Date();
const rows = (harmonizationId: string) =>
  database.prisma.listing.findMany({ where: { harmonizationId }, orderBy: { number: "asc" } });

const FIVE = [
  listing("a", OTHER_PHONE),
  listing("b", { ...OTHER_PHONE, phone: -1.9 }),
  listing("c", { name: 2.5 }),
  listing("d", OTHER_PHONE),
  listing("e", OTHER_PHONE, { isClear: true, score: 0.99 }),
];

describe("the family of a listing (those to review that differ from their candidates in the same way)", () => {
  test("consists of listings to review with the same evidence pattern that nobody has locked", async () => {
    const h = await make(FIVE);
    expect(await familyOf(deps, { h, person: ada, number: 1 }, "pattern")).toMatchObject({
      count: 3,
      shown: [
        { number: 1, best: { id: "a" } },
        { number: 2, best: { id: "b" } },
        { number: 4, query: { name: "Shop d" } },
      ],
    });
    await lockListing(deps, { h, person: ben, number: 2 });
    await decide(deps, { h, person: ben, number: 4 }, { decision: "skip", seen: null });
    expect(await familyOf(deps, { h, person: ada, number: 1 }, "pattern")).toMatchObject({
      count: 1,
      shown: [{ number: 1 }],
    });
  });

  test("is empty if the directory returns no evidence", async () => {
    const h = await make([listing("a", {}), listing("b", {})]);
    expect(await familyOf(deps, { h, person: ada, number: 1 }, "pattern")).toEqual({
      count: 0,
      at: undefined,
      shown: [],
    });
  });

  test("of kind `same` consists of listings with the same query", async () => {
    const query = { name: "Shop", ll: { lat: 1, lng: 2 }, address: "1 Main St" };
    const h = await make([
      listing("a", OTHER_PHONE, { query }),
      listing("b", OTHER_PHONE, { query: { ...query, phone: "555" } }),
      { ...listing("a", { name: 1 }, { query }), name: "c" },
    ]);
    expect(await familyOf(deps, { h, person: ada, number: 1 }, "same")).toMatchObject({
      count: 2,
      shown: [{ number: 1 }, { number: 3 }],
    });
  });

  test("is matched at once, each listing with its own best candidate; one undo restores all but those decided since", async () => {
    const h = await make(FIVE);
    const before = await rows(h.id);
    expect(
      await decideFamily(
        deps,
        { h, person: ada, number: 1 },
        { kind: "pattern", decision: "matched", expected: 3, seen: NOW },
      ),
    ).toMatchObject({ decided: 3, gone: 0 });
    const after = await rows(h.id);
    expect(after.map(({ venueId }) => venueId)).toEqual(["a", "b", null, "d", null]);
    expect(after[1]).toMatchObject({
      ...{ decision: "matched", venueName: "Venue b", decidedHow: "family", decidedBy: ada.id },
      why: { code: "evidence", said: ["same name", "different phone", "same postal code"] },
    });
    expect(await lastStep(deps, h, ada)).toMatchObject({ number: 1, listings: 3, decision: "matched" });
    const { decidedAt } = after[3] ?? {};
    await decide(deps, { h, person: ben, number: 4 }, { decision: "rejected", seen: decidedAt ?? null });
    expect(await undo(deps, h, ada)).toEqual({ number: 1, restored: 2, changed: 1, gone: 0 });
    const undone = await rows(h.id);
    expect(undone.filter(({ number }) => number !== 4)).toEqual(before.filter(({ number }) => number !== 4));
    expect(undone[3]).toMatchObject({ decision: "rejected", decidedBy: ben.id });
  });

  test("is rejected as a whole, and undo restores which listings were skipped", async () => {
    const h = await make(FIVE);
    await decide(deps, { h, person: ada, number: 1 }, { decision: "skip", seen: null });
    const before = await rows(h.id);
    expect(
      await decideFamily(
        deps,
        { h, person: ada, number: 1 },
        { kind: "pattern", decision: "rejected", expected: 3, seen: NOW },
      ),
    ).toMatchObject({ decided: 3, gone: 0 });
    expect((await rows(h.id)).map(({ decision }) => decision)).toEqual([
      "rejected",
      "rejected",
      null,
      "rejected",
      null,
    ]);
    await undo(deps, h, ada);
    expect(await rows(h.id)).toEqual(before);
  });

  test("is not decided if it has more listings than the person was shown", async () => {
    const h = await make(FIVE);
    const wish = { kind: "pattern", decision: "matched", expected: 2, seen: NOW } as const;
    await expect(decideFamily(deps, { h, person: ada, number: 1 }, wish)).rejects.toThrow("There are now 3 rows.");
    expect((await rows(h.id)).every(({ decision }) => decision === null)).toBe(true);
    expect(await decideFamily(deps, { h, person: ada, number: 1 }, { ...wish, expected: 3 })).toMatchObject({
      decided: 3,
    });
  });

  test("is not decided if one of its listings was matched again since", async () => {
    const h = await make(FIVE);
    const { at = NOW } = await familyOf(deps, { h, person: ada, number: 1 }, "pattern");
    const later = new Date(at.getTime() + 1);
    await database.prisma.listing.updateMany({
      where: { harmonizationId: h.id, number: 4 },
      data: { matchedAt: later },
    });
    const wish = { kind: "pattern", decision: "rejected", expected: 3 } as const;
    await expect(decideFamily(deps, { h, person: ada, number: 1 }, { ...wish, seen: at })).rejects.toThrow(
      "Some of these rows were matched again",
    );
    expect(await decideFamily(deps, { h, person: ada, number: 1 }, { ...wish, seen: later })).toMatchObject({
      decided: 3,
    });
  });

  test("may have ten thousand listings, decided within a request", async () => {
    const h = await make([listing("a", OTHER_PHONE)]);
    await database.prisma.$executeRaw`
      INSERT INTO app.listing (harmonization_id, number, line, cells, query, status, score, best_id, candidates, pattern)
      SELECT harmonization_id, n, n, cells, query, status, score, best_id, candidates, pattern
        FROM app.listing, generate_series(2, 10050) n WHERE harmonization_id = ${h.id}::uuid`;
    expect(
      await decideFamily(
        deps,
        { h, person: ada, number: 1 },
        { kind: "pattern", decision: "matched", expected: 10_000, seen: NOW },
      ),
    ).toMatchObject({ decided: 10_000 });
    expect(await undo(deps, h, ada)).toMatchObject({ restored: 10_000 });
    expect(await familyOf(deps, { h, person: ada, number: 10_049 }, "pattern", { first: 1 })).toMatchObject({
      count: 10_000,
      shown: [{ number: 10_049 }],
    });
  });
});
