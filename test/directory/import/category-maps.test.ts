import { expect, test } from "vitest";
import foursquare from "../../../prisma/category-maps/foursquare.json" with { type: "json" };
import overture from "../../../prisma/category-maps/overture.json" with { type: "json" };
import { allCategories, findCategory } from "../../../src/directory/categories/tree.ts";
import { ourCategory } from "../../../src/directory/import/categories.ts";

const names = new Set(allCategories.map(({ name }) => name));
const NONE = () => ({ places: 0, categories: new Map<string, number>() });
const nameOf = (release: string, ...categories: string[]) =>
  findCategory(ourCategory(release, categories, NONE()) ?? "")?.name;

test.each([
  ["Overture", overture],
  ["Foursquare", foursquare],
])("every category of %s leads to one of our tree, or to none on purpose", (_, { categories, source, licence }) => {
  const wrong = Object.values<string | null>(categories).filter((name) => name !== null && !names.has(name));
  expect(wrong).toEqual([]);
  expect([source, licence]).not.toContain("");
});

test.each([
  ["overture", ["coffee_shop"], "Coffee Shop"],
  ["overture", ["anglican_church"], "Church"],
  ["overture", ["no_such_code", "sushi_restaurant"], "Sushi Restaurant"],
  ["overture", ["island"], undefined],
  ["foursquare", ["Dining and Drinking > Cafe, Coffee, and Tea House > Coffee Shop"], "Coffee Shop"],
  ["foursquare", ["Retail > Sporting Goods Retail > Tennis Store"], "Sporting Goods Store"],
  ["foursquare", ["Landmarks and Outdoors > States and Municipalities > City"], undefined],
  ["foursquare", ["Nothing Known", "Retail > Bookstore > Used Bookstore"], "Bookstore"],
])("a place of %s in %j is in our category %s", (release, categories, ours) => {
  expect(nameOf(release, ...categories)).toBe(ours);
});

test("categories that lead nowhere are counted by the first that the place has", () => {
  const unmapped = NONE();
  for (const code of ["island", "no_such_code", "island", "cafe"]) ourCategory("overture", [code], unmapped);
  expect(unmapped).toEqual({ places: 3, categories: new Map(Object.entries({ island: 2, no_such_code: 1 })) });
});
