import { describe, expect, test } from "vitest";
import { decideMatches } from "../../../src/matching/decide.ts";
import { matchListing } from "../../../src/matching/match.ts";
import type { Listing } from "../../../src/matching/prepare.ts";
import { at } from "../places.ts";
import { familiesOf } from "./families.ts";

const HOUSE = { address: "12 High Street", city: "Ashbyton" };
const PHONE = { phone: "207 555 0101" };

/** Metres between the places of a pair, and what else both say. */
const KNOWN: Record<string, { metres: number; both: Partial<Listing> }> = {
  "20 m apart": { metres: 20, both: {} },
  "at one house": { metres: 5, both: HOUSE },
  "with one phone": { metres: 20, both: PHONE },
  "at one house, with one phone": { metres: 0, both: { ...HOUSE, ...PHONE } },
};

function decided(one: string, other: string, { metres, both } = { metres: 20, both: {} }) {
  return decideMatches(matchListing(at(one, 0, both), [at(other, metres, both)]));
}

/** Each pair in both directions. */
const bothWays = (pairs: [string, string][]) =>
  pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]);

describe.each([
  ["a place and a part of it", "parts"],
  ["places that differ in one distinctive word", "siblings"],
  ["firms in one building", "firms"],
  ["a shop and what it has inside", "shops"],
  ["tenants of one counter, or one after the other", "tenants"],
] as const)("%s", (_what, kind) => {
  test.each(familiesOf(kind))("F130: are never a certain match, whatever else agrees, in $language", ({ pairs }) => {
    expect(pairs.length).toBeGreaterThan(1);
    for (const [known, each] of Object.entries(KNOWN))
      expect(
        bothWays(pairs).filter(([one, other]) => decided(one, other, each).confident),
        known,
      ).toEqual([]);
  });
});

test("F130: two spellings of one place are a certain match in three of five pairs, and match in 92 of 100", () => {
  const pairs = familiesOf("same").flatMap((family) => bothWays(family.pairs));
  for (const [known, each] of Object.entries(KNOWN)) {
    const found = pairs.map(([one, other]) => decided(one, other, each));
    expect(found.filter(({ confident }) => confident).length / pairs.length, known).toBeGreaterThanOrEqual(0.6);
    expect(found.filter(({ matches }) => matches.length > 0).length / pairs.length, known).toBeGreaterThanOrEqual(0.92);
  }
});

test("firms of one tower match in at most a share of .15", () => {
  const pairs = familiesOf("firms").flatMap((family) => bothWays(family.pairs));
  expect(pairs.filter(([one, other]) => decided(one, other).matches.length > 0).length / pairs.length).toBeLessThan(
    0.15,
  );
});
