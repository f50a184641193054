import type { Pool, QueryConfig } from "pg";
import { expect, test } from "vitest";
import { candidatesOfEach } from "../../../src/directory/venues/candidates.ts";
import type { VenueRow } from "../../../src/directory/venues/rows.ts";
import { matchEach } from "../../../src/directory/venues/search/match-each.ts";
import { candidatesAmongNeighbours } from "../../../src/directory/venues/search/neighbours.ts";
import { searchVenues } from "../../../src/directory/venues/search/search.ts";
import type { Listing } from "../../../src/matching/prepare.ts";
import { CITUS_URL } from "../../support/database/citus.ts";
import { testDatabase } from "../../support/database/database.ts";
import { addSpots, island, metres, type Spot } from "./islands.ts";

const { database } = await testDatabase({ template: "sample" });
const { pool } = database;

const add = (spots: readonly Spot[]) => addSpots(pool, spots);

/** Sees that the candidates are those of one statement a listing, in the same order. Returns those found among neighbours. */
async function compared(listings: readonly Listing[]): Promise<(VenueRow[] | undefined)[]> {
  const found = await candidatesAmongNeighbours(pool, listings);
  expect(found).toHaveLength(listings.length);
  for (let from = 0; from < listings.length; from += 50) {
    const alone = await candidatesOfEach(pool, listings.slice(from, from + 50));
    for (const [at, rows] of alone.entries()) {
      const expected = rows.map(({ probe, likeness, ...row }: VenueRow & { probe?: number; likeness?: number }) => row);
      if (found[from + at])
        expect({ ...listings[from + at], found: found[from + at] }).toMatchObject({ found: expected });
    }
  }
  return found;
}

const withoutAny = (found: (VenueRow[] | undefined)[]) => found.filter((each) => !each).length;
const namesOf = (found: VenueRow[] | undefined) => found?.map(({ name }) => name).sort();

/** The same pseudo-random numbers in every run. */
function dice(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Listings of the sample's venues in order of place, misspelt and misplaced. */
async function noisyListings(count: number): Promise<Listing[]> {
  const { rows } = await pool.query<Listing>(
    `SELECT name, lat, lng, phone FROM directory.venue WHERE lat BETWEEN 41.8 AND 41.85
      ORDER BY floor(lng * 50), lat, id LIMIT $1`,
    [count],
  );
  const random = dice(7);
  return rows.map(({ name, lat, lng, phone }) => {
    const off = metres(300 * random() ** 3);
    return { name: misspelt(name, random), lat: lat + off, lng: lng - off * random(), phone };
  });
}

function misspelt(name: string, random: () => number): string {
  const at = Math.floor(random() * name.length);
  const kind = Math.floor(random() * 6);
  if (kind === 0) return name;
  if (kind === 1) return name.slice(0, at) + name.slice(at + 1);
  if (kind === 2) return `${name.slice(0, at)}e${name.slice(at)}`;
  if (kind === 3) return name.split(" ").slice(1).join(" ") || "Store";
  if (kind === 4) return name.split(" ")[0] ?? name;
  return `The ${name} Inc`;
}

test("neighbours have the candidates that each of them has alone, in towns and in the country", async () => {
  const listings = await noisyListings(1000);
  expect(withoutAny(await compared(listings))).toBeLessThan(listings.length / 20);
});

// On several servers it asks each tile by itself.
test.skipIf(CITUS_URL)("a batch of neighbours has the results of single searches, by three statements", async () => {
  const listings = (await noisyListings(2000)).slice(1000, 1120).map(({ name, lat, lng }) => {
    return { intent: "match" as const, name, ll: { lat, lng }, limit: 5 };
  });
  const asked: QueryConfig[] = [];
  const query = (config: QueryConfig) => asked.push(config) && pool.query(config);
  const matched = await matchEach({ query } as unknown as Pool, listings, performance.now() + 60_000);
  const single = [];
  for (const listing of listings) single.push(await searchVenues(pool, listing));
  expect(strip(matched)).toEqual(strip(single));
  const others = asked
    .filter(({ name }) => name !== "candidates")
    .map(({ text }) => /json_agg|v\.id = ANY/.exec(text)?.[0]);
  expect(others).toEqual(["json_agg", "json_agg", "v.id = ANY"]);
});

const strip = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (key, each) => (key === "probe" ? undefined : each)));

test("neighbours in a stack of 2,100 namesakes have the same of them, even at the same distance", async () => {
  const at = island();
  const [here, there] = [at, { ...at, lng: at.lng + 1 }];
  const spread = (n: number) => ({ lat: here.lat + metres(n / 10), lng: here.lng + metres(n % 7) });
  await add(Array.from({ length: 2100 }, (_, n) => ({ name: `ATM ${n}`, ...spread(n) })));
  await add(Array.from({ length: 2100 }, (_, n) => ({ name: `Kiosk ${n % 50}`, ...there })));
  const atms = Array.from({ length: 100 }, (_, n) => ({ name: n % 3 ? `ATM ${n * 19}` : "Atm", ...spread(n * 19) }));
  const kiosks = Array.from({ length: 100 }, (_, n) => ({ name: n % 3 ? `Kiosk ${n}` : "Bakery", ...there }));
  expect(withoutAny(await compared([...atms, ...kiosks]))).toBe(0);
});

test("neighbours in a stack of 20,000 are searched for alone, and those elsewhere are not", async () => {
  const at = island();
  const atm = { name: "ATM", ...at };
  for (let added = 0; added < 20_000; added += 2000) await add(Array<Spot>(2000).fill(atm));
  const elsewhere = { lat: at.lat, lng: at.lng + 0.5 };
  await add([{ name: "Lighthouse", ...elsewhere }]);
  const listings = [
    { name: "ATM 5", ...at },
    { name: "Lighthouse", ...elsewhere },
  ].flatMap(fiveTimes);
  const found = await candidatesAmongNeighbours(pool, listings);
  expect(found.map(namesOf)).toEqual([undefined, ["Lighthouse"]].flatMap(fiveTimes));
});

const fiveTimes = <T>(each: T): T[] => Array<T>(5).fill(each);

test("neighbours in a town where every venue has the same name have the same of them", async () => {
  const at = island();
  const grid = (n: number) => ({
    lat: at.lat + metres(120 * (n % 30)),
    lng: at.lng + metres(150 * Math.floor(n / 30)),
  });
  await add(Array.from({ length: 900 }, (_, n) => ({ name: "Springfield", ...grid(n) })));
  const names = ["Springfield", "Springfield Hotel", "Sprngfld", "Shelbyville"];
  const listings = Array.from({ length: 100 }, (_, n) => ({ name: names[n % 4] ?? "", ...grid((n * 7) % 900) }));
  expect(withoutAny(await compared(listings))).toBe(0);
});

// Several servers compute the places anew from latitudes, which yields no border to the last bit.
test.skipIf(CITUS_URL)("neighbours on the borders of cells have each venue once", async () => {
  const { y, lng } = { y: 12.5, lng: -150 };
  await pool.query(
    `INSERT INTO directory.venue (id, name, name_norm, lat, lng, point)
     SELECT 'border' || x || '-' || y, 'Border ' || x, 'border ' || x, 12.5, $1::float8, point($1::float8 + x / 256.0, $2::float8 + y / 256.0)
       FROM generate_series(-8, 8) x, generate_series(-8, 8) y`,
    [lng, y],
  );
  const lat = (Math.atan(Math.exp((y * Math.PI) / 180)) * 360) / Math.PI - 90;
  const listings = Array.from({ length: 40 }, (_, n) => {
    const [name, off] = [n % 2 ? `Border ${n % 8}` : "Other", metres(150)];
    return { name, lat: lat + (n % 6) * off, lng: lng + (n % 7) * off };
  });
  const found = await compared(listings);
  expect(withoutAny(found)).toBe(0);
  expect(found.some((each) => each && each.length > 20)).toBe(true);
});

test("neighbours find Latin names beside others, and those with another name are searched for alone", async () => {
  const at = island();
  const names = [
    "肯德基",
    "KFC 肯德基 (南京路店)",
    "KFC",
    "Кафе Cafe Пушкин",
    "Cafe Pushkin",
    "Café Pouchkine",
    "โรงแรม Hotel",
  ];
  await add(names.flatMap((name, n) => [{ name, lat: at.lat + metres(100 * n), lng: at.lng }]));
  const found = await compared(["KFC", "Cafe", "Café Pushkin", "Hotel", "肯德基"].map((name) => ({ name, ...at })));
  expect(found.map((each) => each !== undefined)).toEqual([true, true, true, true, false]);
  expect(namesOf(found[0])).toContain("KFC 肯德基 (南京路店)");
});

test("neighbours with apostrophes, digits, one letter or no letter have the same candidates", async () => {
  const at = island();
  const names = [
    "Dunkin' Donuts",
    "Fish 'n' Chips",
    "7-Eleven",
    "24/7",
    "A",
    "Q & A",
    "O'Brien's #1234",
    "1st 2nd 3rd",
  ];
  await add(names.map((name, n) => ({ name, lat: at.lat + metres(90 * n), lng: at.lng })));
  const sought = [...names, "dunkin donuts", "Fish and Chips", "7 11", "247", "a a a", "!", "O’Brien", "1st"];
  const found = await compared(sought.map((name, n) => ({ name, lat: at.lat + metres(100 * n), lng: at.lng })));
  expect(withoutAny(found)).toBe(0);
});

test("neighbours have at most twenty venues with their telephone numbers, the same at the same distance", async () => {
  const at = island();
  await add(Array.from({ length: 30 }, (_, n) => ({ name: `Branch ${n}`, ...at, lng: 10, phone: "+1 401 555 0199" })));
  await add([{ name: "Moved Away", lat: at.lat + 5, lng: 60, phone: "+1 401 555 0182" }]);
  const phones = ["401-555-0199", "401-555-0182; (401) 555-0199", "401-555-0182", "none"];
  const found = await compared(phones.map((phone) => ({ name: "No such name", ...at, phone })));
  expect(found.map((each) => each?.length)).toEqual([20, 20, 1, 0]);
});

test("listings across the 180th meridian and in the far north are searched for alone, and far from any venue not", async () => {
  const { lat } = island();
  const places = [
    { lat, lng: 179.999 },
    { lat, lng: -180 },
    { lat: 78.2, lng: 15.6 },
    { lat: -78, lng: 166 },
    { lat: 89.95, lng: 0 },
    { lat: 0, lng: 0 },
  ];
  const found = await compared(places.map((place) => ({ name: "Light", ...place })).flatMap(fiveTimes));
  expect(found).toEqual([undefined, undefined, undefined, undefined, undefined, []].flatMap(fiveTimes));
});

test("listings without neighbours are searched for alone, and nothing is read", async () => {
  const query = (config: QueryConfig) => Promise.reject(new Error(`Nobody needs ${config.name}.`));
  const listings = Array.from({ length: 50 }, (_, n) => ({ name: "Cafe", lat: 41.8, lng: -60 - n / 10 }));
  const found = await candidatesAmongNeighbours({ query } as unknown as Pool, listings);
  expect(found).toEqual(listings.map(() => undefined));
});
