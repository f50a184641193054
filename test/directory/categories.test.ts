import fastify from "fastify";
import { expect, test } from "vitest";
import { drawIcon, ICON_SIZES, iconOf, registerIcons } from "../../src/directory/categories/icons.ts";
import { storeCategories } from "../../src/directory/categories/store.ts";
import {
  allCategories,
  categoryPath,
  categoryTree,
  descendantIds,
  findCategory,
  searchCategories,
} from "../../src/directory/categories/tree.ts";
import { testDatabase } from "../support/database/database.ts";

const { database } = await testDatabase();
const { prisma } = database;

const named = (name: string) => {
  const category = allCategories.find((each) => each.name === name);
  if (!category) throw new Error(`no category ${name}`);
  return category;
};
const namesFound = (text: string) => searchCategories(text).map((category) => category.name);

test("category ids are 24 hex digits, and each id and name is unique", () => {
  expect(allCategories.filter(({ id }) => !/^[0-9a-f]{24}$/.test(id))).toEqual([]);
  expect(new Set(allCategories.map(({ id }) => id)).size).toBe(allCategories.length);
  expect(new Set(allCategories.map(({ name }) => name)).size).toBe(allCategories.length);
});

test("the category tree has about ten top groups, at most three levels, and no empty text", () => {
  expect(categoryTree.length).toBeGreaterThanOrEqual(9);
  expect(categoryTree.length).toBeLessThanOrEqual(12);
  expect(Math.max(...allCategories.map(({ id }) => categoryPath(id).length))).toBe(3);
  expect(allCategories.filter((each) => !each.name || !each.pluralName || !each.shortName)).toEqual([]);
});

test("a category path leads from the top group to the category, and is empty for an unknown id", () => {
  expect(categoryPath(named("Pizza Place").id).map(({ name }) => name)).toEqual(["Food", "Restaurant", "Pizza Place"]);
  expect(categoryPath("0".repeat(24))).toEqual([]);
  expect(findCategory("0".repeat(24))).toBeUndefined();
});

test("a category's descendants are itself and everything below it", () => {
  const food = descendantIds(named("Food").id);
  expect(food).toEqual(
    expect.arrayContaining([named("Food").id, named("Restaurant").id, named("Sushi Restaurant").id]),
  );
  expect(food).not.toContain(named("Bar").id);
  expect(descendantIds(named("Sushi Restaurant").id)).toEqual([named("Sushi Restaurant").id]);
  expect(descendantIds("unknown")).toEqual([]);
});

test("a category is found by its name, plural or short name, regardless of case and accents", () => {
  expect(namesFound("coffee")).toContain("Coffee Shop");
  expect(namesFound("COFFEE  shops")).toEqual(["Coffee Shop"]);
  expect(namesFound("pizza")).toEqual(["Pizza Place"]);
  expect(namesFound("cafe")).toEqual(["Café"]);
  expect(namesFound("cinema")).toContain("Movie Theater");
  expect(namesFound("children's museums")).toEqual(["Children's Museum"]);
});

test("a category search matches whole words only, requires all of them, and lists an exact name first", () => {
  expect(namesFound("bar")[0]).toBe("Bar");
  expect(namesFound("bar")).toContain("Wine Bar");
  expect(namesFound("bar").join()).not.toMatch(/Barber|Barbecue/);
  expect(namesFound("starbucks coffee")).toEqual([]);
  expect(namesFound("and")).toEqual([]);
  expect(namesFound("  ")).toEqual([]);
  expect(namesFound("museum")[0]).toBe("Museum");
});

test("the stored category tree matches the source after two concurrent starts and after a change", async () => {
  await Promise.all([storeCategories(prisma), storeCategories(prisma)]);
  const bar = named("Bar");
  await prisma.category.update({ where: { id: bar.id }, data: { name: "Old name", parentId: null } });
  await storeCategories(prisma);

  const stored = await prisma.category.findMany({ orderBy: { position: "asc" } });
  expect(
    stored.map(({ id, name, pluralName, shortName, icon }) => ({ id, name, pluralName, shortName, icon })),
  ).toEqual(allCategories.map(({ children: _, ...category }) => category));
  expect(stored.find(({ id }) => id === bar.id)?.parentId).toBe(categoryPath(bar.id).at(-2)?.id);
});

test("storing an unchanged category tree writes no row", async () => {
  await storeCategories(prisma);
  const rows = () =>
    prisma.$queryRaw`SELECT id, xmin::text FROM directory.category WHERE parent_id IS NULL ORDER BY id`;
  const versions = await rows();
  await storeCategories(prisma);
  expect(await rows()).toEqual(versions);
});

test("every category has an icon in every size, with and without background", () => {
  for (const { icon } of allCategories) {
    for (const size of ICON_SIZES) {
      expect(drawIcon(icon, size, { bg: false }), icon).toMatch(
        /^<svg .*<(path|circle|rect|line|polyline|polygon)[ >]/,
      );
      expect(drawIcon(icon, size, { bg: true }), icon).toContain("<rect");
    }
  }
});

test("a category icon is at prefix + size + suffix, also with bg_ before the size", async () => {
  const app = fastify();
  registerIcons(app);
  const plain = await app.inject("/icons/coffee_88.svg");
  expect(plain.statusCode).toBe(200);
  expect(plain.headers["content-type"]).toBe("image/svg+xml; charset=utf-8");
  expect(plain.headers["cache-control"]).toMatch(/^public, max-age=\d{6,}$/);
  expect(plain.headers["cross-origin-resource-policy"]).toBe("cross-origin");
  expect(plain.body).toContain('width="88"');
  expect((await app.inject("/icons/coffee_bg_32.svg")).body).toMatch(/width="32".*<rect.*fill="#/);
  expect((await app.inject("/icons/coffee.svg")).body).toContain('width="64"');
});

test.each([
  "nothing_64.svg",
  "coffee_33.svg",
  "coffee_bg_bg_32.svg",
  "coffee_64.png",
  "coffee_64",
  "LICENSE",
  "..%2f..%2fpackage_64.svg",
  "..%2ficons%2fcoffee_64.svg",
  "__proto___64.svg",
  "constructor_64.svg",
])("the category icon %s does not exist", async (file) => {
  const app = fastify();
  registerIcons(app);
  expect((await app.inject(`/icons/${file}`)).statusCode).toBe(404);
  expect(iconOf(decodeURIComponent(file))).toBeUndefined();
});
