import { expect, test } from "vitest";
import { searching } from "./searching.ts";

const { query, store, pairs, search } = await searching();

const INN = { name: "Vermilion Walrus Kitchen", address: "12 Thayer St", category: "Chinese Restaurant" };
const PUMP = { ...INN, category: "Gas Station" };

/** Whether two venues are taken for one. */
async function areOne(one: Parameters<typeof store>[0], other: Parameters<typeof store>[0]): Promise<boolean> {
  await query("TRUNCATE directory.venue CASCADE");
  await store({ id: "a", ...one }, { id: "b", ...other });
  await search();
  return (await pairs()).length > 0;
}

test("W194: a venue with a category of parts, and all else that of another, is that other", async () => {
  expect(await areOne(INN, PUMP)).toBe(true);
  expect(await areOne({ ...INN, phone: "401 555 0144" }, PUMP)).toBe(true);
});

test("W194: it is a part if it has a phone or an address of its own, or the other may have such parts", async () => {
  expect(await areOne(INN, { ...PUMP, phone: "401 555 0199" })).toBe(false);
  expect(await areOne(INN, { ...PUMP, address: "14 Thayer St" })).toBe(false);
  expect(await areOne({ ...INN, category: "Supermarket" }, PUMP)).toBe(false);
  expect(await areOne({ ...INN, name: "Costco" }, { ...PUMP, name: "Costco" })).toBe(false);
  expect(await areOne({ ...INN, category: "Car Wash" }, PUMP)).toBe(false);
});
