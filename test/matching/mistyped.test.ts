import { expect, test } from "vitest";
import { chance } from "../../bench/support/venues.ts";
import { mayFind } from "../../src/matching/may-find.ts";
import { mayBeMistyped } from "../../src/matching/mistyped.ts";
import { familiesOf } from "./families/families.ts";
import { OTHER_SCRIPTS } from "./families/other-scripts.ts";
import { LATIN, type Language } from "./families/words.ts";
import { at } from "./places.ts";

const isMistyped = (one: string, other: string) => mayBeMistyped({ name: one }, { name: other });

let rolled = 0;
const roll = (below: number) => chance(below, 31, rolled++);

/** Leaves a letter out, doubles it, swaps it with the next, replaces it, or removes or adds a space. Never the first letter. */
function mistyped(name: string): string {
  const letters = [...name];
  const at = 1 + roll(letters.length - 2);
  const [one = "", next = ""] = letters.slice(at, at + 2);
  const space = letters.indexOf(" ");
  const ways: [number, number, ...string[]][] = [
    [at, 1],
    [at, 0, one],
    [at, 2, next, one],
    [at, 1, letters[roll(letters.length)] ?? ""],
    space > 0 ? [space, 1] : [at, 1],
    [Math.max(2, at), 0, " "],
  ];
  const [from, count, ...instead] = ways[roll(ways.length)] ?? [0, 0];
  return letters.toSpliced(from, count, ...instead).join("");
}

const LANGUAGES = Object.entries({ ...LATIN, ...OTHER_SCRIPTS });

/** Of the names of places in a language, with five errors of a kind each. */
function shareFound({ names, wholes, trades }: Language, errors: (name: string) => string): number {
  const places = names.flatMap((name) => [
    ...wholes.map((whole) => whole.replace("*", name)),
    ...trades.map((trade) => trade.replace("+", name)),
  ]);
  const tried = places.flatMap((name) => Array.from({ length: 5 }, () => isMistyped(errors(name), name)));
  return tried.filter(Boolean).length / tried.length;
}

const twice = (name: string) => mistyped(mistyped(name));

/** With one and with two errors. A wrong sign is another word. */
const LEAST: Record<string, [number, number]> = { Chinese: [0.75, 0.4], Japanese: [0.75, 0.4] };

test.each(LANGUAGES)("S116: a name with a typing error or two may be mistyped, in %s", (language, words) => {
  const [once, both] = LEAST[language] ?? [0.8, 0.7];
  expect(shareFound(words, mistyped)).toBeGreaterThanOrEqual(once);
  expect(shareFound(words, twice)).toBeGreaterThanOrEqual(both);
});

test("S116: of places with a telling word, number or part of their own, firms of one tower and tenants, one in a hundred may be mistyped", () => {
  const others = (["siblings", "firms", "tenants", "parts", "shops"] as const).flatMap((kind) =>
    familiesOf(kind).flatMap(({ pairs }) => pairs),
  );
  const found = others.filter((pair) => isMistyped(...pair)).map((pair) => pair.join(" | "));
  expect(found.length / others.length, found.join("\n")).toBeLessThan(0.01);
});

test.each([
  ["Pueza Hollowood", "Pizza Hollywood"],
  ["CATAUZAROSPIZZERIA", "Catanzaro's Pizzeria"],
  ["Hil ltop Inn", "Hilltop Inn"],
])("S116: %s may be %s", (wrong, name) => {
  expect(isMistyped(wrong, name)).toBe(true);
});

test.each([
  ["St Mary Church", "St Mark Church"],
  ["Blue Bay Cafe", "Blue Sky Cafe"],
  ["Harbor Hotel", "Harbor Hostel"],
  ["Mercy Neurology", "Mercy Nephrology"],
  ["Phase 12", "Phase 21"],
  ["Gate A", "Gate B"],
])("S116: %s is not %s", (one, other) => {
  expect([isMistyped(one, other), isMistyped(other, one)]).toEqual([false, false]);
});

test("S116: a town behind the name is no part of it", () => {
  const listing = { name: "Hoeny Dew Donust - Ashbyton", city: "Ashbyton" };
  expect(mayBeMistyped(listing, { name: "Honey Dew Donuts" })).toBe(true);
  expect(mayBeMistyped({ ...listing, city: undefined }, { name: "Honey Dew Donuts" })).toBe(false);
});

test("S116: a misspelt row of a file may find the venue of another row 400 m away, and none 600 m away", () => {
  expect(mayFind(at("Pueza Hollowood"), [at("Pizza Hollywood", 400)])).toBe(true);
  expect(mayFind(at("Pueza Hollowood"), [at("Pizza Hollywood", 600)])).toBe(false);
});
