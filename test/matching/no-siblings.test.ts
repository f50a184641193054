import { describe, expect, test } from "vitest";
import { decideMatches } from "../../src/matching/decide.ts";
import { matchListing } from "../../src/matching/match.ts";
import { asWrittenIn, readAddress, sameHouse } from "../../src/matching/normalize/address.ts";
import type { Listing } from "../../src/matching/prepare.ts";
import { mayBeSlip, soundOf, soundsAlike } from "../../src/matching/text/spelling.ts";
import { at } from "./places.ts";

const decided = (one: string, other: string, both: Partial<Listing> = {}) =>
  decideMatches(matchListing(at(one, 0, both), [at(other, 20, both)]), 0);

const NUMBERS = [
  ["Two", "2", "II", "Second"],
  ["Three", "3", "III", "Third"],
  ["Four", "4", "IV", "Fourth"],
];

describe("names that say the same", () => {
  test("F131: numbers in words, digits and Roman numerals tell no siblings apart, and others do", () => {
    const pairs = NUMBERS.flatMap((same) => same.flatMap((one) => same.map((other) => [one, other] as const)));
    const told = pairs.filter(([one, other]) => !decided(`${one} PNC Plaza`, `${other} PNC Plaza`).confident);
    expect(told).toEqual([]);
    const others = NUMBERS.flatMap((some, at) =>
      NUMBERS.flatMap((more, index) => (index === at ? [] : [[some, more]])),
    );
    const pairsOfOthers = others.flatMap(([some = [], more = []]) => some.flatMap((a) => more.map((b) => [a, b])));
    expect(pairsOfOthers.filter(([a, b]) => decided(`${a} PNC Plaza`, `${b} PNC Plaza`).confident)).toEqual([]);
  });

  test.each<[string, string, Partial<Listing>?]>([
    ["Martin Luther King Sr Park", "Martin Luther King Senior Park"],
    ["Concord HS", "Concord High School"],
    ["Hwy 9 Diner", "Highway 9 Diner"],
    ["Quillon Books NH", "Quillon Books", { state: "NH" }],
    ["Quillon Books NH", "Quillon Books", { state: "New Hampshire" }],
    ["Quillon Books New Hampshire", "Quillon Books", { state: "NH" }],
    ["Quillon Books Nashua NH", "Quillon Books", { city: "Nashua", state: "NH" }],
    ["Quillon Group", "Quillon"],
    ["Quillon & Sons", "Quillon"],
  ])("F131: %s and %s are a certain match", (one, other, both) => {
    expect([decided(one, other, both).confident, decided(other, one, both).confident]).toEqual([true, true]);
  });

  test.each([
    ["Martin Luther King Sr Park", "Martin Luther King Jr Park"],
    ["Concord HS", "Concord Middle School"],
    ["Highway 9 Diner", "Highway 90 Diner"],
    ["Quillon Books NH", "Quillon Books VT"],
    ["Highland Men's Locker Room", "Highland Boys Locker Room"],
  ])("F131: %s and %s are not", (one, other) => {
    expect(decided(one, other).confident).toBe(false);
  });
});

const spelt = (text: string) => ({ text, sound: soundOf(text) });

const scoreOf = (one: string, other: string): number => decided(one, other).matches[0]?.score ?? 0;

describe("slips of a key", () => {
  /** With letters left out, doubled and swapped inside. */
  const slipsOf = (word: string) =>
    Array.from({ length: word.length - 3 }, (_, index) => index + 1).flatMap((at) => [
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + word.charAt(at) + word.slice(at),
      word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
    ]);

  test("F130: a slip inside a word is excused, wherever it is", () => {
    for (const word of ["grocer", "donuts", "panera", "about"])
      expect(
        slipsOf(word).filter((slip) => !mayBeSlip(slip, word)),
        word,
      ).toEqual([]);
  });

  test("F131: slips in a name that is run together leave it the same, and another name run together is another", () => {
    const isOneLetter = (word: string, slip: string) => slip.length !== word.length;
    const slips = ["hilltop", "newport"].flatMap((word) =>
      slipsOf(word).flatMap((slip) => (isOneLetter(word, slip) ? [[word, slip] as const] : [])),
    );
    for (const ending of ["Inn", "Creamery"])
      expect(slips.filter(([word, slip]) => scoreOf(`${slip}${ending}`, `${word} ${ending}`) < 0.5)).toEqual([]);
    expect(scoreOf("HarborInn", "Hilltop Inn")).toBeLessThan(0.1);
  });

  test("F130: fields of study and medicine are no slips of one another, in five languages", () => {
    const stems = "hemat hepat neur nephr cardi radi ge the eth ethn myc my cyt hist".split(" ");
    for (const ending of ["ology", "ologie", "ologia", "ologi", "ologiya"]) {
      const words = stems.map((stem) => stem + ending);
      const alike = words.flatMap((a) =>
        words.filter((b) => {
          const [one, other] = [spelt(a), spelt(b)];
          return a < b && (mayBeSlip(a, b) || soundsAlike(one, other));
        }),
      );
      expect(alike, ending).toEqual([]);
    }
  });
});

describe("addresses", () => {
  const isSame = (one: string, other: string, cc?: string) => {
    const read = (text: string) => asWrittenIn({ cc }, readAddress(text));
    return sameHouse(read(one), read(other));
  };

  test("F131: numbered streets are one only if their numbers are", () => {
    const streets = [58, 59, 9, 90].flatMap((n) => [`14 W ${n}th St`, `14 West ${n} Street`]);
    for (const one of streets)
      for (const other of streets) {
        const [match] = matchListing(at("Quillon", 0, { address: one }), [at("Quillon", 8, { address: other })]);
        const number = (text: string) => /(\d+)(?:th)? St/.exec(text)?.[1];
        expect(match?.isAtAddress, `${one}, ${other}`).toBe(number(one) === number(other));
      }
  });

  test("F131: a slash stands between unit and house in Australia and New Zealand, and a hyphen between two houses", () => {
    for (const cc of ["AU", "NZ"]) {
      expect(isSame("108/122 Smith St", "122 Smith St", cc)).toBe(true);
      expect(isSame("108/122 Smith St", "110 Smith St", cc)).toBe(false);
      expect(isSame("108/122 Smith St", "108 Smith St", cc)).toBe(false);
      expect(isSame("22/3 Smith St", "3 Smith St", cc)).toBe(true);
      expect(isSame("22/3 Smith St", "22 Smith St", cc)).toBe(false);
      expect(isSame("108-122 Smith St", "110 Smith St", cc)).toBe(true);
      expect(asWrittenIn({ cc }, readAddress("108/122 Smith St")).unit).toBe("108");
    }
    expect(isSame("12/14 High Street", "14 High Street", "GB")).toBe(true);
  });
});
