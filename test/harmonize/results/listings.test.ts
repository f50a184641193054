import { describe, expect, it } from "vitest";
import { listListings } from "../../../src/harmonize/results/listings.ts";
import type { Outcome } from "../../../src/harmonize/run/rows.ts";
import { testDatabase } from "../../support/database/database.ts";
import { type MadeListing, makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";

const directory = "http://localhost:3002";
const { database } = await testDatabase();
const account = await makeAccount(database, "Ada", directory);

/** Scores at and near the cuts of 0.77 and 0.2. */
const EDGES: [Outcome, MadeListing][] = [
  ["matched", { name: "at the cut", candidates: [makeCandidate("v", 0.77)], more: { isClear: true } }],
  ["review", { name: "just below", candidates: [makeCandidate("v", 0.7699)], more: { isClear: true } }],
  ["review", { name: "sure but not clear", candidates: [makeCandidate("v", 0.99)], more: { isClear: false } }],
  ["review", { name: "least to review", candidates: [makeCandidate("v", 0.2)] }],
  ["none", { name: "below it", candidates: [makeCandidate("v", 0.1999)] }],
  ["none", { name: "without candidates" }],
  ["review", { name: "without scores", candidates: [makeCandidate("v", 0.9)], more: { score: null, isClear: true } }],
  ["failed", { name: "failed", more: { status: "failed", problem: { code: "no_name" } } }],
  ["pending", { name: "not asked", more: { status: "pending" } }],
  ["matched", { name: "failed but decided", more: { status: "failed", decision: "matched", venueId: "v" } }],
  ["none", { name: "rejected", candidates: [makeCandidate("v", 0.99)], more: { isClear: true, decision: "rejected" } }],
  ["matched", { name: "added", more: { decision: "added", venueId: "new", venueName: "Neu" } }],
];

describe("a page of listings", () => {
  it("shows each outcome, also for scores at the cuts", async () => {
    const h = await make(EDGES.map(([, listing]) => listing));
    const { listings } = await listListings(database, h, {});
    expect(listings.map(({ query, outcome }) => [outcome, query?.name])).toEqual(
      EDGES.map(([outcome, { name }]) => [outcome, name]),
    );
    for (const outcome of ["matched", "review", "none", "failed", "pending"] as const) {
      const page = await listListings(database, h, { outcome });
      expect(page.listings).toHaveLength(EDGES.filter(([each]) => each === outcome).length);
    }
  });

  it("leads forward and back through all listings once, in file order", async () => {
    const h = await make(Array.from({ length: 130 }, (_, index) => ({ name: `Shop ${index + 1}` })));
    const first = await listListings(database, h, {});
    const second = await listListings(database, h, { after: first.after });
    const third = await listListings(database, h, { after: second.after });
    const numbers = [first, second, third].map(({ listings }) => listings.map(({ number }) => number));
    expect(numbers.map(({ length }) => length)).toEqual([50, 50, 30]);
    expect(numbers.flat()).toEqual(Array.from({ length: 130 }, (_, index) => index + 1));
    expect([first.before, third.after, third.isCutShort]).toEqual([undefined, undefined, false]);

    const back = await listListings(database, h, { before: third.before });
    expect(back.listings.map(({ number }) => number)).toEqual(numbers[1]);
    const start = await listListings(database, h, { before: back.before });
    expect(start.listings.map(({ number }) => number)).toEqual(numbers[0]);
    expect([start.before, start.after]).toEqual([undefined, first.after]);
  });

  it("finds a text in any cell or the venue's name, ignoring case, with every sign taken literally", async () => {
    const made = [
      { name: "100% Juice_Bar" },
      { name: "Juice Bar" },
      { name: "Café", more: { venueId: "v", venueName: "CAFÉ ÉTOILE", decision: "matched" as const } },
    ];
    const h = await make(made);
    const names = async (text: string) =>
      (await listListings(database, h, { text })).listings.map(({ query }) => query?.name);
    expect(await names("JUICE")).toEqual(["100% Juice_Bar", "Juice Bar"]);
    expect(await names("100%")).toEqual(["100% Juice_Bar"]);
    expect(await names("e_b")).toEqual(["100% Juice_Bar"]);
    expect(await names("étoile")).toEqual(["Café"]);
    expect(await names("own-2")).toEqual(["Juice Bar"]);
    expect(await names("' OR 1=1")).toEqual([]);
  });

  it("finds a listing thousands of rows away, over several stretches", async () => {
    const h = await make([
      { name: "first", more: { number: 1 } },
      { name: "far away", more: { number: 44_000, status: "failed" } },
      { name: "last", more: { number: 45_000 } },
    ]);
    const whole = { ...h, listingCount: 45_000 };
    const { listings, after } = await listListings(database, whole, { outcome: "failed" });
    expect([listings.map(({ query }) => query?.name), after]).toEqual([["far away"], undefined]);
    const back = await listListings(database, whole, { before: 44_000 });
    expect([back.listings.map(({ query }) => query?.name), back.before]).toEqual([["first"], undefined]);
  });
});

const make = (listings: MadeListing[]) => makeHarmonization(database, account, listings, { directory });
