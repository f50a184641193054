import { afterAll, expect, test } from "vitest";
import { type SearchParameters, searchParameters } from "../../../src/contract/search-parameters.ts";
import { openDatabase } from "../../../src/db/database.ts";
import { candidatesOfEach } from "../../../src/directory/venues/candidates.ts";
import { mercatorY } from "../../../src/directory/venues/mercator.ts";
import type { VenueRow } from "../../../src/directory/venues/rows.ts";
import { edge, indexOf } from "../../../src/directory/venues/search/cells.ts";
import { matchEach } from "../../../src/directory/venues/search/match-each.ts";
import { searchVenues } from "../../../src/directory/venues/search/search.ts";
import { tileAt } from "../../../src/directory/venues/tiles.ts";
import type { Listing } from "../../../src/matching/prepare.ts";
import { CITUS_URL } from "../../support/database/citus.ts";
import { testDatabase } from "../../support/database/database.ts";
import { addSpots, island, metres } from "./islands.ts";
import { QUERIES } from "./text-queries.ts";

const { url, database } = await testDatabase({ template: "sample", onOneServer: true });
const whole = database.pool;
const { pool: tiled } = CITUS_URL ? (await testDatabase({ template: "sample" })).database : asIfDistributed();

/** All tiles are in one table, but the program asks as if each were on a server of its own. */
function asIfDistributed() {
  const distributed = openDatabase(url, { patience: 10_000, connectMs: 10_000, isDistributed: true });
  afterAll(distributed.close);
  return distributed;
}

const HOUR = 3_600_000;

/** Of the sample, with names cut short; half of them within 1,500 metres of the border of a tile. */
const { rows: listings } = await whole.query<Listing>(
  `SELECT left(name, -2) AS name, lat, lng, phone FROM directory.venue
    WHERE abs(point[0] / 0.1875 - round(point[0] / 0.1875)) < 0.1 OR hashtext(id) % 15 = 0 ORDER BY hashtext(id) LIMIT 600`,
);

const idsFound = async (pool: typeof whole, some: Listing[]) =>
  (await candidatesOfEach(pool, some)).map((rows) => rows.map(({ id }) => id));

test("F42: candidates from several tiles are those of one statement, in the same order", async () => {
  for (let from = 0; from < listings.length; from += 50) {
    const some = listings.slice(from, from + 50);
    expect(await idsFound(tiled, some)).toEqual(await idsFound(whole, some));
  }
});

test("F42: candidates across the border of a tile stop at a very similar name on the other side, and keep the limits", async () => {
  const border = { lat: island().lat, lng: -120 };
  const beside = (n: number) => ({ lat: border.lat + metres(n), lng: border.lng + (n % 2 ? -1 : 1) * metres(20 + n) });
  const lanterns = Array.from({ length: 60 }, (_, n) => ({
    ...{ id: `lantern${n}`, name: `Lantern ${n}`, phone: "+1 401 555 0142" },
    ...beside(10 * n + 40),
  }));
  const spots = [{ id: "house", name: "Lantern House", ...beside(1) }, ...lanterns];
  for (const pool of CITUS_URL ? [whole, tiled] : [whole]) await addSpots(pool, spots);
  const asked = [
    { name: "Lantern House", ...border },
    { name: "Lantern", ...border, phone: "401 555 0142" },
    { name: "Something else", ...border },
  ];
  const found = await idsFound(tiled, asked);
  expect(found).toEqual(await idsFound(whole, asked));
  expect(found.map((ids) => ids.length > 0)).toEqual([true, true, true]);
});

test("a batch on several tiles has the results of one on the whole map", async () => {
  const asked = listings.map(
    ({ name, lat, lng }): SearchParameters => ({ intent: "match", name, ll: { lat, lng }, limit: 5 }),
  );
  const matched = async (pool: typeof whole) => {
    const results = await matchEach(pool, asked, performance.now() + HOUR);
    return results.map((each) => ("error" in each ? each : each.venues.map(({ id, score }) => ({ id, score }))));
  };
  expect(await matched(tiled)).toEqual(await matched(whole));
});

const SEARCHES = [
  ...Object.values(QUERIES).flatMap((group) => group.map(({ query, ll = "41.824,-71.4128" }) => ({ query, ll }))),
  ...["41.824,-71.4128", "41.1,-71.9", "-41,-120.1", "0,179.9"].map((ll) => ({ ll, limit: "50" })),
  { query: "dunkin donuts", intent: "global" },
  { sw: "41.7,-71.5", ne: "41.9,-71.3", intent: "browse", limit: "50" },
];

test.each(SEARCHES)("a search on several tiles has the results of one on the whole map: %o", async (given) => {
  const asked = searchParameters.parse(given);
  // Without words only the distance decides, and several venues may be at one spot.
  const shown = ({ id, lat, lng }: VenueRow) => ("query" in given ? id : `${lat},${lng}`);
  const from = async (pool: typeof whole) => (await searchVenues(pool, asked)).venues.map(shown);
  expect(await from(tiled)).toEqual(await from(whole));
});

test("every imported venue has the tile of its position, which SQL computes alike", async () => {
  const { rows } = await tiled.query<{ lat: number; lng: number; tile: number; computed: number }>(
    "SELECT lat, lng, tile, directory.venue_tile(point) AS computed FROM directory.venue",
  );
  expect(rows.filter(({ tile, computed }) => tile !== computed)).toEqual([]);
  expect(rows.filter(({ lat, lng, tile }) => tile !== tileAt(lng, mercatorY(lat)))).toEqual([]);
});

test("every cell of the map is in one tile", () => {
  const justBelow = (index: number) => edge(index + 1) - 1e-12;
  for (let index = indexOf(-180); index <= indexOf(180); index++)
    expect(tileAt(edge(index), 0)).toBe(tileAt(justBelow(index), 0));
});
