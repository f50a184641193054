import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { candidateFinder } from "../../bench/support/candidates.ts";
import { type Answer, autoAcceptOf, qualityOf } from "../../bench/support/quality.ts";
import { scorePair } from "../../bench/support/score-pair.ts";
import { readPairSets, readRetrievalSets } from "../../bench/support/sets.ts";
import { placed } from "../../bench/support/town-points.ts";
import { decideMatches, MATCH_CUT } from "../../src/matching/decide.ts";
import { matchListing } from "../../src/matching/match.ts";

const DATA = path.resolve(import.meta.dirname, "../../bench/data");

/** Lowest accepted figures, slightly below the last results of `npm run bench -- matching`. */
const PAIR_FLOORS = { fodors_zagats: 0.99, overture_3k_dev: 0.905 };
const LISTING_FLOORS = {
  fodors_zagats: { F1: 0.98, "right first": 0.99, "accepted precision": 0.99, "accepted recall": 0.83 },
  sample_noisy: { F1: 0.955, "right first": 0.995, "accepted precision": 0.99, "accepted recall": 0.86 },
};
const CALIBRATION_CEILINGS: Record<string, number> = { fodors_zagats: 0.015, sample_noisy: 0.03 };

describe("matching of the benchmark sets", () => {
  test.each(Object.entries(PAIR_FLOORS))("separates the pairs of %s with an F1 of at least %d", (name, floor) => {
    const answers = named(readPairSets(DATA), name).pairs.map(
      ({ left, right, isSame }): Answer => ({ score: scorePair(left, right), isRight: isSame, hasRight: isSame }),
    );
    expect(qualityOf(answers).F1).toBeGreaterThanOrEqual(floor);
  });

  test.each(Object.entries(LISTING_FLOORS))(
    "finds the venue of each listing of %s, or none if it has none",
    (name, floors) => {
      const answers = answersOf(name);
      const figures: Record<string, number> = { ...qualityOf(answers, MATCH_CUT), ...autoAcceptOf(answers) };
      const below = Object.entries(floors).filter(([figure, floor]) => !((figures[figure] ?? 0) >= floor));
      expect(below, JSON.stringify(figures)).toEqual([]);
      expect(figures["calibration error"]).toBeLessThanOrEqual(CALIBRATION_CEILINGS[name] ?? 0);
    },
  );
});

test("the promise of wire-format.md about confident matches holds of a set that no weight was learnt from", () => {
  const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, "../..", file), "utf8");
  const set = "sample_noisy";
  expect(/^\/\/ Written .*$/m.exec(read("src/matching/weights.ts"))?.[0]).not.toContain(set);
  const [, least] = /it was right in (\d+) to \d+ of 100/.exec(read("docs/wire-format.md")) ?? [];
  expect(Number(least)).toBeGreaterThanOrEqual(96);
  expect(100 * autoAcceptOf(answersOf(set))["accepted precision"]).toBeGreaterThanOrEqual(Number(least));
});

const answers = new Map<string, Answer[]>();

/** The first candidate of each listing. */
function answersOf(name: string): Answer[] {
  const known = answers.get(name) ?? findAnswers(name);
  answers.set(name, known);
  return known;
}

function findAnswers(name: string): Answer[] {
  const { listings, directory, truth } = placed(named(readRetrievalSets(DATA), name));
  const find = candidateFinder(directory);
  return listings.map((listing) => {
    const right = truth.get(listing.id) ?? new Set();
    const { matches, confident } = decideMatches(matchListing(listing, find(listing)), 0);
    const [first] = matches;
    return { score: first?.score ?? 0, isRight: right.has(first?.venue.id ?? ""), hasRight: right.size > 0, confident };
  });
}

function named<S extends { name: string }>(sets: S[], name: string): S {
  const set = sets.find((each) => each.name === name);
  if (!set) throw new Error(`There is no set ${name}.`);
  return set;
}
