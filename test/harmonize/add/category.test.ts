import { describe, expect, test } from "vitest";
import { readCsv } from "../../../bench/support/sets.ts";
import type { Category } from "../../../src/contract/resources.ts";
import {
  allCategories,
  categoryPath,
  categoryTree,
  type Category as OwnCategory,
} from "../../../src/directory/categories/tree.ts";
import { categoryGuesser, type Guessable } from "../../../src/harmonize/add/category.ts";
import categoryWords from "../../../src/harmonize/add/category-words.json" with { type: "json" };
import { normalizeName } from "../../../src/matching/normalize/normalize.ts";

const toContract = ({ children, ...own }: OwnCategory): Category =>
  ({ ...own, categories: children.map(toContract) }) as object as Category;
const guess = categoryGuesser(categoryTree.map(toContract));
const nameOf = (id = "") => categoryPath(id).at(-1)?.name;
const guessed = (known: Partial<Guessable>) => {
  const found = guess({ chosen: null, said: "", name: "", candidates: [], ...known });
  return found && [nameOf(found.id), found.by];
};

describe("the category of a venue to be added", () => {
  test("is what a person chose, before all else, as long as the directory has it", () => {
    const known = { said: "Bakery", name: "Joe's Pizza" };
    const museum = allCategories.find(({ name }) => name === "Museum")?.id ?? "";
    expect(guessed({ ...known, chosen: museum })).toEqual(["Museum", "person"]);
    expect(guessed({ ...known, chosen: "gone" })).toEqual(["Bakery", "column"]);
  });

  test.each([
    ["bakeries", "Bakery"],
    ["Food > Bakery", "Bakery"],
    ["amenity=ice_cream_shop", "Ice Cream Shop"],
    ["Pizzeria", "Pizza Place"],
  ])("is read from the file's column: %s", (said, category) => {
    expect(guessed({ said, name: "Corner Museum" })).toEqual([category, "column"]);
  });

  test("is that of most venues nearby with the same name, and of none if they disagree", () => {
    const venue = (name: string, category: string) => ({ name, category });
    const alike = [
      venue("Blue Door!", "Café"),
      venue("BLUE DOOR", "Café"),
      venue("Blue Door", "Bar"),
      venue("Red Door", "Museum"),
    ];
    expect(guessed({ name: "Blue door", candidates: alike })).toEqual(["Café", "namesake"]);
    expect(guessed({ name: "Blue door", candidates: alike.slice(1) })).toBeUndefined();
  });

  test.each([
    ["Joe's Famous Pizza", "Pizza Place"],
    ["Museum Café", "Café"],
    ["Main Street Ice Cream & Books", "Ice Cream Shop"],
    ["Trattoria da Luigi", "Italian Restaurant"],
    ["Springfield Synagogue", "Synagogue"],
    ["Acme Coat Factory", undefined],
    ["", undefined],
  ])("is guessed by the longest and last word of a name: %s", (name, category) => {
    expect(guessed({ name })?.[0]).toBe(category);
  });

  test("comes from the directory's own tree: without a category its words say nothing, and its names are words", () => {
    const [id, name] = ["x1", "Boulodrome"];
    const other = categoryGuesser([{ id, name, pluralName: "Boulodromes", shortName: name } as Category]);
    const known = { chosen: null, said: "", candidates: [] };
    expect(other({ ...known, name: "Joe's Pizza" })).toBeUndefined();
    expect(other({ ...known, name: "Grand Boulodrome" })).toEqual({ id, by: "word", from: "boulodrome" });
  });

  test("is guessed for two in five misspelt listings, four in five of them rightly, nine in ten within the group", () => {
    const venues = new Map(readCsv("prisma/sample/venues.csv.gz").map((venue) => [venue.id, venue]));
    const set = "bench/data/retrieval/sample_noisy";
    const truth = new Map(readCsv(`${set}/truth.csv.gz`).map((row) => [row.listing_id, row.venue_id]));
    const counts = { known: 0, guessed: 0, right: 0, group: 0 };
    for (const { id = "", name = "" } of readCsv(`${set}/listings.csv.gz`)) {
      const right = venues.get(truth.get(id))?.category;
      if (!right) continue;
      counts.known += 1;
      const found = guess({ chosen: null, said: "", name, candidates: [] });
      if (!found) continue;
      counts.guessed += 1;
      if (found.id === right) counts.right += 1;
      if (categoryPath(found.id)[0] === categoryPath(right)[0]) counts.group += 1;
    }
    if (process.env.TELL) console.log(counts);
    expect(counts.known).toBe(600);
    expect(counts.guessed).toBeGreaterThan(220);
    expect(counts.right / counts.guessed).toBeGreaterThan(0.8);
    expect(counts.group / counts.guessed).toBeGreaterThan(0.9);
  });
});

test("the reviewed words are written as names are compared, each for one category, which our directory has", () => {
  const words = Object.values(categoryWords).flatMap((text) => text.split(", "));
  expect(words.filter((word) => normalizeName(word).replaceAll("-", " ") !== word)).toEqual([]);
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
  const names = new Set(allCategories.map(({ name }) => name));
  expect(Object.keys(categoryWords).filter((name) => !names.has(name))).toEqual([]);
});
