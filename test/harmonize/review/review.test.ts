import { beforeEach, describe, expect, test } from "vitest";
import { decide } from "../../../src/harmonize/review/decisions.ts";
import { SORTS } from "../../../src/harmonize/review/filter.ts";
import { reviewListing } from "../../../src/harmonize/review/listing.ts";
import { countQueue, nextListing, type ReviewQueue } from "../../../src/harmonize/review/order.ts";
import { reviewSummary } from "../../../src/harmonize/review/summary.ts";
import type { Harmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { testDatabase } from "../../support/database/database.ts";
import { type MadeListing, makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";

const { database } = await testDatabase();
const DIRECTORY = "http://directory.test";
const deps = { pool: database.pool, directoryUrl: DIRECTORY, directory: {} as never };
const [ada, ben] = await Promise.all(
  ["Ada", "Ben"].map(async (name) => ({ id: await makeAccount(database, name, DIRECTORY), isAdmin: false })),
);
if (!ada || !ben) throw new Error("There is nobody.");

const doubtful = (weights: Record<string, number> = { name: 1 }): MadeListing => ({
  name: "Shop",
  candidates: [makeCandidate("v1", 0.6, weights)],
});
const REVIEW: ReviewQueue = { show: "review" };
const make = (listings: MadeListing[], more: object = {}) =>
  makeHarmonization(database, ada.id, listings, { directory: DIRECTORY, ...more });
/** Returns the numbers in order of the queue, skipping each by a lock that ends at once. */
async function walk(h: Harmonization, queue: ReviewQueue, most = 20): Promise<number[]> {
  const seen: number[] = [];
  for (let after = 0; seen.length < most; ) {
    const number = await nextListing(deps, { h, person: ada as never, queue }, after);
    if (number === undefined || seen.includes(number)) return seen;
    seen.push(number);
    after = number;
  }
  return seen;
}

describe("a review queue", () => {
  let h: Harmonization;
  beforeEach(async () => {
    const clear = { more: { isClear: true } };
    h = await make([
      doubtful(),
      { name: "Sure", candidates: [makeCandidate("v1", 0.97)], ...clear },
      { name: "Like nothing" },
      doubtful({ name: 2.5, phone: -2.5 }),
      { name: "Broken", more: { status: "failed" } },
      { name: "Waits", more: { status: "pending" } },
      { name: "Not clear", candidates: [makeCandidate("v1", 0.97, { phone: -0.5 })] },
      { name: "Unlikely", candidates: [makeCandidate("v1", 0.1)] },
      {
        name: "No scores",
        candidates: [makeCandidate("v1", 0)],
        more: { score: null },
      },
      { name: "Clear, and not likely enough", candidates: [makeCandidate("v1", 0.5)], ...clear },
    ]);
  });

  test("has the undecided listings of its outcome in file order", async () => {
    expect(await walk(h, REVIEW)).toEqual([1, 4, 7, 9, 10]);
    expect(await walk(h, { show: "none" })).toEqual([3, 8]);
    expect(await walk(h, { show: "failed" })).toEqual([5]);
    expect(await walk(h, { show: "matched" })).toEqual([2]);
    expect(await walk({ ...h, listingCount: 9 }, { show: "skipped" })).toEqual([]);
  });

  test("continues after the current listing, then wraps around", async () => {
    expect(await nextListing(deps, { h, person: ada, queue: REVIEW }, 4)).toBe(7);
    expect(await nextListing(deps, { h, person: ada, queue: REVIEW }, 10)).toBe(1);
  });

  test("can be limited to listings with a certain evidence", async () => {
    expect(await walk(h, { show: "review", filter: { reason: "phone-" } })).toEqual([4, 7]);
    expect(await walk(h, { show: "review", filter: { reason: "phone--" } })).toEqual([4]);
    expect(await walk(h, { show: "review", filter: { reason: "name+" } })).toEqual([1, 4]);
    expect(await countQueue(deps, h, { show: "review", filter: { reason: "phone-" } })).toEqual({
      decided: 0,
      left: 2,
    });
  });

  test("can be sorted by score, town or reason, each from the current listing and then from its beginning", async () => {
    const towns = ["Cork", undefined, "antrim", "Bray", "Cork", "bray"];
    const patterns = ["b", "a", "b", "a", "b", "a"];
    const scores = [0.6, 0.9, 0.7, 0.6, 0.8, 0.9];
    h = await make(
      scores.map((score, at) => ({
        ...{ name: "Shop", candidates: [makeCandidate("v1", score)] },
        more: { pattern: patterns[at] ?? "", query: { name: "Shop", ...(towns[at] && { city: towns[at] }) } },
      })),
    );
    const bySort = {
      file: [1, 2, 3, 4, 5, 6],
      score: [2, 6, 5, 3, 1, 4],
      town: [3, 4, 6, 1, 5, 2],
      reason: [2, 4, 6, 1, 3, 5],
    };
    expect(await walk(h, REVIEW)).toEqual(bySort.file);
    for (const sort of SORTS) expect([sort, await walk(h, { show: "review", sort })]).toEqual([sort, bySort[sort]]);
    expect(await nextListing(deps, { h, person: ada, queue: { show: "review", sort: "score" } }, 4)).toBe(2);
    expect(await nextListing(deps, { h, person: ada, queue: { show: "review", sort: "town" } }, 1)).toBe(5);
    await decide(deps, { h, person: ada, number: 2 }, { decision: "rejected", seen: null });
    await decide(deps, { h, person: ada, number: 5 }, { decision: "skip", seen: null });
    expect(await walk(h, { show: "review", sort: "score" })).toEqual([6, 3, 1, 4]);
    const looker = { h, person: ada, looksOnly: true };
    expect(await nextListing(deps, { ...looker, queue: { show: "review", sort: "score" } }, 6)).toBe(5);
    expect(await walk(h, { show: "review", sort: "score", filter: { from: 0.65, to: 1 } })).toEqual([6, 3]);
  });

  test("ends with skipped listings, and can show only these", async () => {
    await decide(deps, { h, person: ada, number: 1 }, { decision: "skip", seen: null });
    await decide(deps, { h, person: ada, number: 4 }, { decision: "skip", seen: null });
    expect(await walk(h, REVIEW)).toEqual([7, 9, 10]);
    for (const number of [7, 9, 10])
      await decide(deps, { h, person: ada, number }, { decision: "rejected", seen: null });
    expect(await walk(h, REVIEW)).toEqual([1, 4]);
    expect(await nextListing(deps, { h, person: ada, queue: { show: "skipped" } })).toBe(1);
    expect(await countQueue(deps, h, REVIEW)).toEqual({ decided: 3, left: 2 });
  });

  test("counts decided and remaining listings, and ends with a summary per person", async () => {
    await decide(deps, { h, person: ada, number: 1 }, { decision: "matched", venueId: "v1", seen: null });
    await decide(deps, { h, person: ben, number: 4 }, { decision: "rejected", seen: null });
    await decide(deps, { h, person: ben, number: 2 }, { decision: "matched", venueId: "v1", seen: null });
    expect(await countQueue(deps, h, REVIEW)).toEqual({ decided: 2, left: 3 });
    expect(await countQueue(deps, h, { show: "matched" })).toEqual({ decided: 1, left: 0 });
    expect(await reviewSummary(deps, h)).toMatchObject([
      { name: "Ben", matched: 1, added: 0, rejected: 1 },
      { name: "Ada", matched: 1, added: 0, rejected: 0 },
    ]);
  });
});

describe("a review queue of a long file", () => {
  test("includes distant listings with and without a score, and limits its count", async () => {
    const h = await make([], { listingCount: 50_000 });
    await database.prisma.$executeRaw`
      INSERT INTO app.listing (harmonization_id, number, line, cells, status, pattern)
      SELECT ${h.id}::uuid, n, n, ARRAY['Shop'], 'asked', CASE WHEN n < 9 THEN 'phone-' END FROM generate_series(1, 21000) n`;
    const far = { harmonizationId: h.id, line: 1, cells: ["Shop"], status: "asked" as const, bestId: "v1" };
    await database.prisma.listing.createMany({
      data: [
        { ...far, number: 41_500, score: 0.5 },
        { ...far, number: 45_000 },
      ],
    });
    expect(await walk(h, REVIEW)).toEqual([41_500, 45_000]);
    expect(await nextListing(deps, { h, person: ada, queue: REVIEW }, 50_000)).toBe(41_500);
    await decide(deps, { h, person: ada, number: 41_500 }, { decision: "rejected", seen: null });
    expect(await nextListing(deps, { h, person: ada, queue: REVIEW })).toBe(45_000);
    expect(await nextListing(deps, { h, person: ada, queue: { show: "none" } }, 50_000)).toBe(1);
    for (const none of [{ show: "none" }, { show: "none", filter: { reason: "phone-" } }] as const)
      expect(await countQueue(deps, h, none)).toEqual({ decided: 0, left: 10_001 });
    expect(await countQueue(deps, h, { show: "matched" })).toEqual({ decided: 0, left: 0 });
  });

  test("ends with a summary of the whole file", async () => {
    const by = (decidedBy: string, number: number) => ({
      name: "Shop",
      more: { number, decision: "rejected", decidedBy, decidedHow: "person", decidedAt: new Date(number) } as const,
    });
    const decided = [by(ada.id, 1), by(ben.id, 2), by(ada.id, 150_000), by(ben.id, 150_001), by(ben.id, 249_999)];
    const h = await make(decided, { listingCount: 250_000 });
    expect(await reviewSummary(deps, h)).toMatchObject([
      { name: "Ben", matched: 0, rejected: 3, lastAt: new Date(249_999) },
      { name: "Ada", rejected: 2, lastAt: new Date(150_000) },
    ]);
  });
});

describe("two reviewers", () => {
  test.each([undefined, ...SORTS])("never get the same listing at once, sorted by %s", async (sort) => {
    const h = await make(Array.from({ length: 30 }, () => doubtful()));
    const got: number[] = [];
    const take = async (who: typeof ada) => {
      for (let after = 0; ; ) {
        const number = await nextListing(deps, { h, person: who as never, queue: { show: "review", sort } }, after);
        if (number === undefined) return;
        got.push(number);
        await decide(deps, { h, person: who as never, number }, { decision: "rejected", seen: null });
        after = number;
      }
    };
    await Promise.all([take(ada), take(ben)]);
    expect(got.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });

  test("skip each other's listing for two minutes, and see who has it", async () => {
    const h = await make([doubtful(), doubtful()]);
    expect(await nextListing(deps, { h, person: ben, queue: REVIEW })).toBe(1);
    expect(await nextListing(deps, { h, person: ada, queue: REVIEW })).toBe(2);
    expect(await nextListing(deps, { h, person: ada, queue: REVIEW })).toBe(2);
    expect(await reviewListing(deps, { h, person: ada, number: 1 })).toMatchObject({ lockedBy: "Ben" });
    expect(await reviewListing(deps, { h, person: ben, number: 1 })).toMatchObject({ lockedBy: null });
    await database.pool.query(
      "UPDATE app.listing SET locked_until = locked_until - interval '2 minutes' WHERE harmonization_id = $1",
      [h.id],
    );
    expect(await nextListing(deps, { h, person: ada, queue: REVIEW })).toBe(1);
    expect(await reviewListing(deps, { h, person: ada, number: 1 })).toMatchObject({ lockedBy: null });
  });
});

test("a listing shows its decision in the previous edition, found by the own id", async () => {
  const first = await make([doubtful(), doubtful()]);
  await decide(deps, { h: first, person: ben, number: 2 }, { decision: "matched", venueId: "v1", seen: null });
  const second = await make([doubtful(), doubtful()], { previousId: first.id });
  expect(await reviewListing(deps, { h: second, person: ada, number: 2 })).toMatchObject({
    before: { decision: "matched", venueName: "Venue v1", decidedBy: "Ben" },
  });
  expect(await reviewListing(deps, { h: second, person: ada, number: 1 })).toMatchObject({ before: null });
});
