import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { candidateFinder } from "../../bench/support/candidates.ts";
import { readRetrievalSets } from "../../bench/support/sets.ts";
import { placed } from "../../bench/support/town-points.ts";
import { decideMatches } from "../../src/matching/decide.ts";
import { matchListing } from "../../src/matching/match.ts";
import type { Listing } from "../../src/matching/prepare.ts";
import { WEIGHTS } from "../../src/matching/weights.ts";
import { roundsOf } from "../support/rounds.ts";
import { at } from "./places.ts";

const DATA = path.resolve(import.meta.dirname, "../../bench/data");
const LEAST_SCORES = [1e-9, 0.001, 0.01, 0.05, 0.06, 0.3, 0.5, 0.77, 0.95, 1];

/** All that a caller sees of the matches. */
const seen = (listing: Listing, candidates: Listing[], minScore: number, leastScore: number) => {
  const { matches, confident } = decideMatches(matchListing(listing, candidates, leastScore), minScore);
  return {
    confident,
    matches: matches.map(({ venue, score, mayBePart, needsReview, isAtAddress, evidence }) => {
      return { at: candidates.indexOf(venue), score, mayBePart, needsReview, isAtAddress, evidence };
    }),
  };
};

/**
 * Also asks for the scores themselves, which no candidate that has them may miss. Candidates are copied, so that nothing
 * is known of them from a call before.
 */
function expectSame(listing: Listing, candidates: Listing[], minScores = LEAST_SCORES) {
  const scores = matchListing(listing, candidates).map(({ score }) => score);
  for (const minScore of [...minScores, ...scores]) {
    const copies = candidates.map((each) => ({ ...each }));
    expect(seen(listing, copies, minScore, minScore)).toEqual(seen(listing, candidates, minScore, 0));
  }
}

const word = fc.constantFrom(
  ..."blue door coffee bar the st union bank 7 café hall a b school north pharmacy atm of smyth smith".split(" "),
  ...["star", "starbucks", "スターバックス", "星巴克", "москва", "@", "o'brien", "bd", "and"],
);
const spot = fc
  .record({
    name: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" ")),
    metres: fc.oneof(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 1500 })),
    address: fc.option(fc.constantFrom("1 Main St", "Main Street, 1", "12 Elm Ave #4", "Elm Ave 12", "Mainstreet"), {
      nil: undefined,
    }),
    phone: fc.option(fc.constantFrom("4015550100", "+1 401 555 0100", "401 555 0111", "x"), { nil: undefined }),
    twitter: fc.option(fc.constantFrom("@blue", "door"), { nil: undefined, freq: 2 }),
    city: fc.option(fc.constantFrom("Providence", "Bristol"), { nil: undefined }),
    url: fc.option(fc.constantFrom("https://blue.example/1", "blue.example"), { nil: undefined, freq: 6 }),
  })
  .map(({ name, metres, ...more }) => at(name, metres, more));

describe("leaving out candidates that certainly score less than asked for changes nothing that is seen", () => {
  test("of generated spots", () => {
    fc.assert(
      fc.property(spot, fc.array(spot, { minLength: 1, maxLength: 7 }), (listing, candidates) =>
        expectSame(listing, candidates),
      ),
      { numRuns: roundsOf(600, 60) },
    );
  });

  test.each(readRetrievalSets(DATA).map((set) => [set.name, set] as const))("of the set %s", (_name, set) => {
    const { listings, directory } = placed(set);
    const find = candidateFinder(directory);
    for (const listing of listings.slice(0, roundsOf(300, 25))) expectSame(listing, find(listing), [0.05, 0.5]);
  });

  test.each([
    ["phone", { phone: "4015550100" }],
    ["house", { address: "1 Main St" }],
    ["Twitter name", { twitter: "@blue" }],
  ])("if only the %s is the same", (_what, more) => {
    expectSame(at("Union Bank", 0, more), [at("Church Hill", 10, more)]);
  });

  test("of a venue with another name, which is left out", () => {
    const candidates = [at("Union Bank", 40), at("Blue Door", 10)];
    expect(matchListing(at("Blue Door", 0, { phone: "4015550100" }), candidates, 0.05)).toHaveLength(1);
  });
});

/** The outline of a venue has values that are no less than the compared ones. */
test.each(["trigrams", "contained", "shared", "firstWord", "telling", "sameKind"] as const)(
  "the log-odds never fall with rising %s",
  (name) => {
    const adds = WEIGHTS.placed.curves[name]?.adds ?? [];
    expect(adds).toEqual([...adds].sort((a, b) => a - b));
  },
);
