import { describe, expect, test } from "vitest";
import { decideMatches } from "../../../src/matching/decide.ts";
import { matchListing } from "../../../src/matching/match.ts";
import { at } from "../places.ts";
import { familiesOf } from "./families.ts";

/** Metres between the places of a pair. Nothing else is known of them. */
const APART = 20;

function decided(one: string, other: string) {
  return decideMatches(matchListing(at(one), [at(other, APART)]));
}

/** Each pair in both directions. */
const bothWays = (pairs: [string, string][]) =>
  pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]);

describe.each([
  ["a place and a part of it", "parts"],
  ["places that differ in one distinctive word", "siblings"],
  ["firms in one building", "firms"],
] as const)("%s", (_what, kind) => {
  test.each(familiesOf(kind))("are never a certain match, in $language", ({ pairs }) => {
    expect(pairs.length).toBeGreaterThan(1);
    expect(bothWays(pairs).filter(([one, other]) => decided(one, other).confident)).toEqual([]);
  });
});

/** The highest accepted share of matches, confident or not. */
test.each([
  ["parts", 0.4],
  ["siblings", 0.2],
  ["firms", 0.05],
] as const)("pairs of %s match in at most a share of %d", (kind, most) => {
  expect(shareTaken(kind)).toBeLessThanOrEqual(most);
});

test("two spellings of one place match in at least 92 of 100 pairs", () => {
  expect(shareTaken("same")).toBeGreaterThanOrEqual(0.92);
});

function shareTaken(kind: Parameters<typeof familiesOf>[0]): number {
  const pairs = familiesOf(kind).flatMap(({ pairs }) => bothWays(pairs));
  return pairs.filter(([one, other]) => decided(one, other).matches.length > 0).length / pairs.length;
}
