import type { Pool, QueryConfig } from "pg";
import { expect, test } from "vitest";
import { candidatesOf } from "../../../src/directory/venues/candidates.ts";
import { CITUS_URL } from "../../support/database/citus.ts";
import { testDatabase } from "../../support/database/database.ts";
import { addSpots, island, metres, type Spot } from "./islands.ts";

const { database } = await testDatabase({ template: "sample" });
const { pool } = database;

const add = (...spots: Spot[]) => addSpots(pool, spots);

const namesFor = async (listing: Spot) => (await candidatesOf(pool, listing)).map(({ name }) => name).sort();

test("candidates are found 1.4 km away by a similar name, next door by another, and anywhere by telephone number", async () => {
  const at = island();
  await add(
    { name: "Blue Heron Bakery", lat: at.lat + metres(1400), lng: at.lng },
    { name: "Blue Heron Bakery Too", lat: at.lat + metres(1600), lng: at.lng },
    { name: "KFC", lat: at.lat + metres(20), lng: at.lng },
    { name: "Moved Away", lat: at.lat + 5, lng: 60, phone: "+1 401 555 0171" },
  );
  expect(await namesFor({ name: "Blue Heron Bakry", ...at })).toEqual(["Blue Heron Bakery", "KFC"]);
  expect(await namesFor({ name: "Kentucky Fried Chicken", ...at })).toContain("KFC");
  expect(await namesFor({ name: "No such name", ...at, phone: "401-555-0171" })).toContain("Moved Away");
  const several = "0571-82360875; (401) 555-0171";
  expect(await namesFor({ name: "No such name", ...at, phone: several })).toContain("Moved Away");
});

test("candidates stop at a very similar name close by, together with similar names there", async () => {
  const at = island();
  await add(
    { name: "Corner Books", lat: at.lat + metres(500), lng: at.lng },
    { name: "Corner Books Cafe", ...at },
    { name: "Corner Books", lat: at.lat + metres(900), lng: at.lng },
    { name: "The neighbour", lat: at.lat + metres(60), lng: at.lng },
  );
  expect(await namesFor({ name: "Corner Bookss", ...at })).toEqual(["Corner Books", "Corner Books Cafe"]);
  expect(await namesFor({ name: "Corner", ...at })).toHaveLength(4);
});

test("candidates include venues on the spot, even when a very similar name is close by", async () => {
  const at = island();
  await add(
    { name: "Cvs", lat: at.lat, lng: at.lng },
    { name: "CVS/pharmacy #1234", ...at },
    { name: "Next door", lat: at.lat + metres(20), lng: at.lng },
    { name: "Up the street", lat: at.lat + metres(60), lng: at.lng },
  );
  expect(await namesFor({ name: "Cvs", ...at })).toEqual(["CVS/pharmacy #1234", "Cvs", "Next door"]);
});

test("a candidate search ignores the number of a chain's shop in its name", async () => {
  const at = island();
  await add(
    { name: "Wok", lat: at.lat + metres(400), lng: at.lng },
    { name: "Up the street", lat: at.lat + metres(60), lng: at.lng },
  );
  expect(await namesFor({ name: "Wok #731024", ...at })).toEqual(["Wok"]);
});

test("candidates among 600 namesakes in one place are the 50 most similar and 20 on the spot", async () => {
  const at = island();
  const atms = Array.from({ length: 600 }, (_, n) => ({ name: `ATM ${n}`, lat: at.lat + metres(n / 10), lng: at.lng }));
  await add(...atms);
  const names = await namesFor({ name: "ATM 377", ...at });
  expect(names.length).toBeGreaterThanOrEqual(50);
  expect(names.length).toBeLessThanOrEqual(70);
  expect(names).toContain("ATM 377");
});

test("candidates are found across the 180th meridian", async () => {
  const { lat } = island();
  await add({ name: "Eastern Light", lat, lng: 179.999 }, { name: "Western Light", lat, lng: -179.999 });
  for (const lng of [179.9995, -179.9995, 180, -180])
    expect(await namesFor({ name: "Light", lat, lng })).toEqual(["Eastern Light", "Western Light"]);
});

// The coordinator of several servers does not show their plans (test/citus/cluster.test.ts looks at those).
test.skipIf(CITUS_URL)(
  "candidates are searched by indexes for places, names and telephone numbers, never by a full scan",
  async () => {
    const asked: QueryConfig[] = [];
    const spy = { query: (config: QueryConfig) => asked.push(config) && pool.query(config) } as unknown as Pool;
    await candidatesOf(spy, { name: "Coffee", lat: 41.824, lng: -71.4128, phone: "401-555-0171" });
    expect(asked).toHaveLength(1);
    const [{ text = "", values = [] } = {}] = asked;
    const { rows } = await pool.query(`EXPLAIN ${text}`, values);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan.match(/Index Scan (?:using|on) venue_point_name/g)).toHaveLength(3);
    expect(plan.match(/Index Cond: \(\(point <@ .*name_norm % /g)).toHaveLength(2);
    expect(plan.match(/Index Scan (?:using|on) venue_phone_norm_idx/g)).toHaveLength(1);
    expect(plan).not.toContain("Seq Scan");
  },
);
