import { expect, test } from "vitest";
import { searching } from "./searching.ts";

const { query, store, pairs, search } = await searching();

const markByAddress = (...ids: string[]) =>
  query("UPDATE directory.venue SET position_by_address = true WHERE id = ANY ($1)", [ids]);

test("C74: machines and stops are not one because their positions were taken from one address", async () => {
  const machine = { name: "Ocean Bank ATM", address: "12 Thayer St", phone: "401 555 0199" };
  await store({ id: "a", ...machine }, { id: "b", ...machine });
  await search();
  expect(await pairs()).toEqual(["a b"]);
  await markByAddress("b");
  await query("TRUNCATE directory.duplicate_portion, directory.duplicate_pair");
  await search();
  expect(await pairs()).toEqual([]);
});

test("C74: of two venues that are one, the one with a position of its own stays", async () => {
  const tavern = { name: "Vermilion Walrus Tavern", address: "12 Thayer St", phone: "401 555 0144" };
  await store({ id: "a", ...tavern, category: "Pub" }, { id: "b", ...tavern });
  const stays = async () => (await query<{ id: string }>("SELECT stays_id AS id FROM directory.duplicate_pair"))[0]?.id;
  await search();
  expect(await stays()).toBe("a");
  await markByAddress("a");
  await query("TRUNCATE directory.duplicate_portion, directory.duplicate_pair");
  await search();
  expect(await stays()).toBe("b");
});

test("C78: an estimated position may be 550 m from a venue of the same name and address", async () => {
  const tavern = { name: "Vermilion Walrus Tavern", address: "12 Thayer St" };
  await store({ id: "a", ...tavern }, { id: "b", ...tavern, lat: 41.8268 + 0.005 });
  await store({ id: "c", name: "Cobalt Ferret Bakery", address: "14 Thayer St" });
  await store({ id: "d", name: "Cobalt Ferret Bakery", address: "140 Thayer St", lat: 41.8268 + 0.005 });
  await search();
  expect(await pairs()).toEqual([]);
  await markByAddress("b", "d");
  await query("TRUNCATE directory.duplicate_portion, directory.duplicate_pair");
  await search();
  expect(await pairs()).toEqual(["a b"]);
});
