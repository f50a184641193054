import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideMatches } from "../../src/matching/decide.ts";
import { matchListing } from "../../src/matching/match.ts";
import type { Listing } from "../../src/matching/prepare.ts";
import { at } from "./places.ts";

const NEIGHBOURS = [at("City Hall", 60), at("Main Street Pizza", 80), at("Riverside Hotel", 120), at("Union Bank", 40)];

/** Matches a listing with the candidates and NEIGHBOURS. */
function decided(listing: Listing, ...candidates: Listing[]) {
  const { matches, confident } = decideMatches(matchListing(listing, [...NEIGHBOURS, ...candidates]));
  return { names: matches.map(({ venue }) => venue.name), confident, best: matches[0] };
}

describe("a listing certainly matches", () => {
  test.each([
    ["Joe's Coffee", "Joes Coffee", 15],
    ["Café Zoë", "Cafe Zoe", 30],
    ["7-Eleven", "7 Eleven", 20],
    ["Mc Donalds", "McDonald's", 30],
    ["The Blue Door Restaurant", "Blue Door Restaurant", 25],
    ["Johnson & Wales University", "Johnson and Wales University", 100],
    ["Blue Door", "Door Blue", 10],
  ])("%s: %s, %i m away", (name, other, metres) => {
    const { names, confident } = decided(at(name), at(other, metres));
    expect(names).toEqual([other]);
    expect(confident).toBe(true);
  });

  test("a slightly misspelled name close by, and farther away only with review", () => {
    expect(decided(at("Starbuks"), at("Starbucks", 20))).toMatchObject({ names: ["Starbucks"], confident: true });
    expect(decided(at("Starbuks"), at("Starbucks", 150))).toMatchObject({ names: ["Starbucks"], confident: false });
  });

  test("a venue with the same telephone number, despite a different form of the name", () => {
    const phone = "+1 401 555 0100";
    const { names } = decided(
      at("Blue Door Grill", 0, { phone }),
      at("The Blue Door", 40, { phone: "(401) 555-0100" }),
    );
    expect(names).toEqual(["The Blue Door"]);
  });
});

describe("a listing does not match", () => {
  test.each([
    ["another business next door", at("Joe's Coffee"), at("Ann's Flowers", 5)],
    [
      "another business at the address",
      at("Joe's Coffee", 0, { address: "1 Main St" }),
      at("Ann's Flowers", 0, { address: "1 Main St" }),
    ],
    ["a branch 1.5 km away", at("Starbucks"), at("Starbucks", 1500)],
    ["its cash machine", at("Union Trust"), at("Union Trust ATM", 5)],
    ["the hotel whose car park it is", at("Garden City Hotel Parking"), at("Garden City Hotel", 30)],
    ["the club that it is inside", at("Poolside @ Riverside Club"), at("Riverside Club House", 30)],
    ["the gate next to it", at("Gate 3"), at("Gate 14", 40)],
  ])("%s", (_what, listing, venue) => {
    expect(decided(listing, venue).confident).toBe(false);
    expect(decided(listing, venue).names).not.toContain(venue.name);
  });
});

test("a bus stop is never a certain match for a place nearby, even if the rest of the name is the same", () => {
  expect(decided(at("Kennedy Plaza Theatre"), at("Kennedy Plaza Bus Stop", 30)).confident).toBe(false);
  expect(decided(at("Kennedy Plaza"), at("Kennedy Plaza Bus Stop", 30)).confident).toBe(false);
});

test.each([
  ["Quux Hall A", "Quux Hall B"],
  ["Chariho Regional High School", "Chariho Regional Middle School"],
  ["Veazie Annex I", "Veazie Annex II"],
  ["Brown University", "Brown University Library"],
  ["Public School 12", "Public School 13"],
])("%s is not a certain match for %s", (one, other) => {
  expect(decided(at(one), at(other, 5)).confident).toBe(false);
});

test("a branch number in a name has no effect", () => {
  expect(decided(at("Starbucks #7301"), at("Starbucks", 20)).confident).toBe(true);
});

describe("the match decision", () => {
  test("leaves two equally good candidates to a person", () => {
    const { names, confident } = decided(at("Starbucks"), at("Starbucks", 20), at("Starbucks", -20));
    expect(names).toEqual(["Starbucks", "Starbucks"]);
    expect(confident).toBe(false);
  });

  test("selects the branch with the same house number", () => {
    const listing = at("Starbucks", 0, { address: "12 Main St" });
    const near = at("Starbucks", 60, { address: "200 Main St" });
    const right = at("Starbucks", -70, { address: "12 Main Street" });
    expect(decided(listing, near, right).best?.venue).toBe(right);
  });

  test("is empty without candidates", () => {
    expect(decideMatches(matchListing(at("Joe's"), []))).toEqual({ matches: [], confident: false });
  });

  test("lists every candidate at a minimum score of 0, and only certain ones near 1", () => {
    const matches = matchListing(at("Joe's Coffee"), [...NEIGHBOURS, at("Joes Coffee", 10)]);
    expect(decideMatches(matches, 0).matches).toHaveLength(5);
    expect(decideMatches(matches, 0.9).matches).toHaveLength(1);
    expect(decideMatches(matches, 1)).toEqual({ matches: [], confident: false });
  });

  test("lists its evidence, with the highest weight first", () => {
    const { best } = decided(
      at("Joe's Coffee", 0, { phone: "4015550100" }),
      at("Joes Coffee", 10, { phone: "401-555-0100" }),
    );
    expect(best?.evidence.map(({ text }) => text)).toContain("same phone");
    expect(best?.evidence.map(({ text }) => text)).toContain("same name");
    const weights = best?.evidence.map(({ weight }) => Math.abs(weight)) ?? [];
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
  });
});

const word = fc.constantFrom(
  "blue",
  "door",
  "coffee",
  "bar",
  "the",
  "st",
  "星巴克",
  "7",
  "café",
  "club",
  "@",
  "o'brien",
);
const listing = fc.record({
  name: fc.oneof(
    fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" ")),
    fc.string(),
  ),
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
  address: fc.option(fc.oneof(fc.constantFrom("1 Main St", "Main Street, 1", "3-5 Elm Ave"), fc.string()), {
    nil: undefined,
  }),
  phone: fc.option(fc.constantFrom("4015550100", "+1 401 555 0100", "x"), { nil: undefined }),
});

const scoreOf = (a: Listing, b: Listing) => matchListing(a, [b])[0]?.score ?? Number.NaN;

describe("the match score", () => {
  test("is between 0 and 1 for any input", () => {
    fc.assert(
      fc.property(listing, listing, (a, b) => {
        expect(scoreOf(a, b)).toBeGreaterThanOrEqual(0);
        expect(scoreOf(a, b)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("never falls with a shorter distance, and never rises with a different telephone or house number", () => {
    fc.assert(
      fc.property(listing, fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 3000 }), (a, one, other) => {
        const place = at(a.name || "x");
        const far = scoreOf(place, at(place.name, Math.max(one, other)));
        expect(scoreOf(place, at(place.name, Math.min(one, other)))).toBeGreaterThanOrEqual(far - 1e-12);
        const phoned = { ...place, phone: "4015550100", address: "1 Main St" };
        const same = scoreOf(phoned, { ...phoned });
        expect(scoreOf(phoned, { ...phoned, phone: "4015550199" })).toBeLessThanOrEqual(same);
        expect(scoreOf(phoned, { ...phoned, address: "2 Main St" })).toBeLessThanOrEqual(same);
      }),
    );
  });

  test("is the same for the same input, in any order of the candidates", () => {
    const candidates = [...NEIGHBOURS, at("Joes Coffee", 10), at("Joe Coffee", 40)];
    const scores = (list: Listing[]) =>
      matchListing(at("Joe's Coffee"), list).map(({ venue, score }) => [venue.name, score]);
    expect(scores([...candidates].reverse())).toEqual(scores(candidates));
  });
});

describe("a venue at the listing's address whose position is a kilometre off", () => {
  const address = "1 Financial Plaza";
  const shown = (name: string, minScore: number, more: Partial<Listing> = { address }) => {
    const venues = [at("Starbucks Coffee", 280, { address: "11 Dorrance St" }), at("Starbucks Coffee", 1300, more)];
    const { matches } = decideMatches(matchListing(at(name, 0, { address }), [...NEIGHBOURS, ...venues]), minScore);
    return matches.some(({ venue }) => venue.address === more.address && venue.lat === at("", 1300).lat);
  };

  test("is a candidate where unlikely ones are shown, but not a match", () => {
    expect([0, 0.05, 0.06, 0.5].map((minScore) => shown("Starbucks", minScore))).toEqual([true, true, false, false]);
    expect(shown("Starbucks", 0.05, { address: "1 Financial Plz" })).toBe(true);
  });

  test("is not a candidate with a different address or a different name", () => {
    expect(shown("Starbucks", 0.05, { address: "2 Financial Plaza" })).toBe(false);
    expect(shown("Hemenway's", 0.05)).toBe(false);
  });
});

describe("a name with U+FFFD", () => {
  const venues = ["Bäckerei Müller", "München Café", "Café Größe", "Żółw", "上海大酒店", "Bar Rio", "Bay Rio"].map(
    (name, index) => at(name, 20 + index),
  );
  const best = (name: string) => decideMatches(matchListing(at(name), venues));

  test.each([
    ["B\ufffdckerei M\ufffdller", "Bäckerei Müller"],
    ["B\ufffd\ufffdckerei M\ufffd\ufffdller", "Bäckerei Müller"],
    ["M\ufffdnchen Caf\ufffd", "München Café"],
    ["CAF\ufffd GR\ufffd\ufffdE", "Café Größe"],
    ["上海\ufffd酒店", "上海大酒店"],
  ])("is restored if one word fits: %s", (name, found) => {
    const { matches, confident } = best(name);
    expect([matches[0]?.venue.name, confident]).toEqual([found, true]);
  });

  test("is not restored if several words fit, or nearly any would", () => {
    expect(best("Ba\ufffd Rio").confident).toBe(false);
    expect(best("\ufffd\ufffd\ufffdw").matches).toEqual([]);
    expect(best("\ufffd".repeat(200)).matches).toEqual([]);
  });

  test("C28: takes little time to match, however many there are", () => {
    const names = ["a\ufffd".repeat(100), `${"ab\ufffd".repeat(10)} `.repeat(6).slice(0, 200), "\ufffd".repeat(200)];
    for (const name of names) expect(matchListing(at(name), Array(140).fill(at("ab".repeat(100)))).length).toBe(140);
  });
});
