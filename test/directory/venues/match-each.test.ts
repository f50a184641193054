import type { Pool, QueryConfig } from "pg";
import { expect, test, vi } from "vitest";
import { matchEach } from "../../../src/directory/venues/search/match-each.ts";
import { searchVenues } from "../../../src/directory/venues/search/search.ts";
import { testDatabase } from "../../support/database/database.ts";
import { tickAtEachLook } from "./ticks.ts";

const { database } = await testDatabase({ template: "sample" });
const { pool } = database;
const HOUR = 3_600_000;

const listings = await sampleListings(120);

async function sampleListings(count: number) {
  const { rows } = await pool.query<{ name: string; lat: number; lng: number }>(
    "SELECT name, lat, lng FROM directory.venue ORDER BY id LIMIT $1",
    [count],
  );
  return rows.map(({ name, ...ll }) => ({ intent: "match" as const, name, ll, limit: 5 }));
}

/** A pool without the way of neighbours that fails statements with certain probes, and records the number of probes of each. */
function failing(fails: (names: string[]) => Error | undefined) {
  const sizes: number[] = [];
  const query = async (config: QueryConfig<[string[]]>) => {
    if (config.name !== "candidates") throw new Error("Only the listings' own statement succeeds.");
    const [names = []] = config.values ?? [];
    sizes.push(names.length);
    const error = fails(names);
    if (error) throw error;
    return pool.query(config);
  };
  return { pool: { query } as unknown as Pool, sizes };
}
const tooSlow = () => Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" });

test("a batch searches fifty listings at a time, with the results of single searches", async () => {
  const { pool: counted, sizes } = failing(() => undefined);
  const matched = await matchEach(counted, listings, performance.now() + HOUR);
  expect(sizes).toEqual([50, 50, 20]);
  const single = [];
  for (const listing of listings) single.push(await searchVenues(pool, listing));
  expect(strip(matched)).toEqual(strip(single));
});

const strip = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (key, each) => (key === "probe" ? undefined : each)));

test("a batch retries a slow statement in smaller ones, without losing a listing", async () => {
  const { pool: slow, sizes } = failing((names) => (names.length > 15 ? tooSlow() : undefined));
  const matched = await matchEach(slow, listings, performance.now() + HOUR);
  expect(sizes.slice(0, 4)).toEqual([50, 25, 13, 13]);
  expect(matched.filter((each) => "venues" in each && each.venues.length > 0)).toHaveLength(listings.length);
});

test.each([
  ["takes too long", tooSlow()],
  ["cannot be asked about", Object.assign(new Error("invalid byte sequence"), { code: "22021" })],
])("a listing that %s fails alone in its batch", async (_what, error) => {
  const { name } = listings[60] ?? { name: "" };
  const asked: string[] = [];
  const { pool: slow } = failing((names) => {
    asked.push(...names);
    return undefined;
  });
  await matchEach(slow, listings.slice(60, 61), performance.now() + HOUR);
  const [norm = ""] = asked;
  const { pool: stuck } = failing((names) => (names.includes(norm) ? error : undefined));
  const matched = await matchEach(stuck, listings, performance.now() + HOUR);
  const failed = matched.flatMap((each, at) => ("error" in each ? [listings[at]?.name] : []));
  expect(failed).toEqual([name]);
  expect(matched.find((each) => "error" in each)).toEqual({ error });
});

test("a batch calls a database that does not answer only once", async () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const query = vi.fn(() => Promise.reject(refused));
  const gone = { query } as unknown as Pool;
  await expect(matchEach(gone, listings, performance.now() + HOUR)).rejects.toBe(refused);
  expect(query).toHaveBeenCalledTimes(1);
});

test("a batch returns 503 for listings without time left, and keeps earlier errors", async () => {
  const error = new Error("no listing");
  const matched = await matchEach(
    pool,
    [...listings.slice(0, 3), { error }, { ...listings[4], ll: undefined }] as never,
    0,
  );
  expect(matched).toMatchObject([...Array(3).fill({ error: { status: 503 } }), { error }, { error: { status: 503 } }]);
});

test("a batch yields to other work after each millisecond, however many calls are running", async () => {
  const known = new Map<string, Promise<unknown>>();
  const query = (config: QueryConfig) => {
    const key = JSON.stringify([config.name, config.values]);
    known.set(key, known.get(key) ?? pool.query(config));
    return known.get(key);
  };
  const remembering = { query } as unknown as Pool;
  const match = () => matchEach(remembering, listings, performance.now() + HOUR);
  await match(); // from here on nothing is waited for but turns
  tickAtEachLook();
  let turns = 0;
  let next: NodeJS.Immediate | undefined;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  count();
  await Promise.all([match(), match()]);
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(2 * listings.length);
});
