import { describe, expect, test } from "vitest";
import { matchListing } from "../../src/matching/match.ts";
import { matchIncomplete } from "../../src/matching/match-incomplete.ts";

const HERE = { lat: 41.82, lng: -71.41 };
const venue = (name: string, more = {}) => ({ name, ...HERE, ...more });
const logit = (score: number) => Math.log(score / (1 - score));

describe("a listing without a position", () => {
  test("scores a venue of the same name lower than with the position, and lower in a wider area", () => {
    const cafe = venue("Cafe Zog");
    const [onTheSpot] = matchListing(venue("Cafe Zog"), [cafe]);
    const scores = (["district", "town", "anywhere"] as const).map(
      (area) => matchIncomplete({ name: "Cafe Zog" }, area, [cafe])[0]?.score ?? 0,
    );
    expect(scores.toSorted((a, b) => b - a)).toEqual(scores);
    expect(scores[0]).toBeLessThan(onTheSpot?.score ?? 0);
    expect(new Set(scores).size).toBe(3);
  });

  test("gives its candidates a total probability of at most one", () => {
    const chain = Array.from({ length: 20 }, (_, i) => venue("Dunkin' Donuts", { address: `${i} Main St` }));
    const matches = matchIncomplete({ name: "Dunkin Donuts" }, "town", chain);
    const sum = matches.reduce((total, { score }) => total + score, 0);
    expect(sum).toBeLessThanOrEqual(1);
    expect(Math.max(...matches.map(({ score }) => score))).toBeLessThan(0.06);
  });

  test("distinguishes candidates by address and telephone number, best first", () => {
    const chain = [
      venue("Dunkin"),
      venue("Dunkin", { address: "7 Elm St" }),
      venue("Dunkin", { phone: "401 555 0100" }),
    ];
    expect(matchIncomplete({ name: "Dunkin", address: "7 Elm Street" }, "town", chain)[0]?.venue).toBe(chain[1]);
    expect(matchIncomplete({ name: "Dunkin", phone: "(401) 555-0100" }, "town", chain)[0]?.venue).toBe(chain[2]);
  });
});

test("the evidence of an incomplete listing adds up to the score, as for a complete one", () => {
  const candidates = [venue("Cafe Zog", { phone: "401 555 0100" }), venue("Cafe Zag"), venue("Zog's Bar")];
  for (const listing of [{ name: "Cafe Zog", phone: "401 555 0100" }, { phone: "401 555 0100" }, { ...HERE }]) {
    // not in the evidence: the bias and, without a name, the weight of the names; the same for all candidates
    const hidden = matchIncomplete(listing, "town", candidates).map(({ score, evidence }) => {
      const told = evidence.reduce((sum, { weight }) => sum + weight, 0);
      return logit(score) - told;
    });
    expect(Math.max(...hidden) - Math.min(...hidden)).toBeLessThan(0.35);
  }
});

test("a listing without a name has no name evidence, but a penalty for the missing name", () => {
  const [match] = matchIncomplete({ ...HERE }, "anywhere", [venue("Cafe Zog")]);
  expect(match?.evidence).toEqual([{ comparison: "noName", weight: -3, text: "name unknown" }]);
});

test("a listing without candidates has no matches", () => {
  expect(matchIncomplete({ name: "Cafe Zog" }, "anywhere", [])).toEqual([]);
});
