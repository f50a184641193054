import { beforeAll, expect, test } from "vitest";
import type { LatLng } from "../../../src/contract/parameters.ts";
import { boxesAround, formatPoint } from "../../../src/directory/venues/mercator.ts";
import { nearestVenues } from "../../../src/directory/venues/nearest.ts";
import { distanceBetween } from "../../../src/matching/distance.ts";
import { CITUS_URL } from "../../support/database/citus.ts";
import { testDatabase } from "../../support/database/database.ts";

const { pool } = (await testDatabase({ template: "sample" })).database;
const DOWNTOWN = { lat: 41.824, lng: -71.4128 };
/** Venues of two categories: thousands on an island beyond the 180th meridian, and a few in Providence. */
const ISLAND = { lat: -17.7, lng: -179.98 };
let [frequent, rare] = ["", ""];

beforeAll(async () => {
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id FROM directory.category WHERE id <> ALL (SELECT category_id FROM directory.venue) ORDER BY id LIMIT 2",
  );
  [frequent = "", rare = ""] = rows.map(({ id }) => id);
  await add(frequent, ISLAND, 2500);
  await add(frequent, DOWNTOWN, 7);
  await add(rare, { lat: 41.5, lng: -71.3 }, 60);
  await pool.query("ANALYZE directory.venue");
});

async function add(category: string, { lat, lng }: LatLng, count: number): Promise<void> {
  const places = Array.from({ length: count }, (_, at) => {
    const east = lng + (at % 50) * 0.003;
    return { lat: lat + Math.floor(at / 50) * 0.003, lng: east > 180 ? east - 360 : east };
  });
  await pool.query(
    `INSERT INTO directory.venue (id, name, name_norm, lat, lng, point, tile, category_id)
     SELECT $1 || $2 || n, 'Some', 'some', lat, lng, point::point, directory.venue_tile(point::point), $1
       FROM unnest($3::float8[], $4::float8[], $5::text[]) WITH ORDINALITY p (lat, lng, point, n)`,
    [category, `-${lat}-`, places.map((each) => each.lat), places.map((each) => each.lng), places.map(formatPoint)],
  );
}

const CENTRES: LatLng[] = [DOWNTOWN, { lat: 41.2, lng: -71.6 }, { lat: -17.6, lng: 179.9 }];

test.each([0, 20_000])(
  "C79: the nearest of frequent and rare categories are those of a full scan, within %i m or anywhere",
  async (metres) => {
    const { rows } = await pool.query<LatLng & { category: string }>(
      "SELECT lat, lng, category_id AS category FROM directory.venue",
    );
    for (const center of CENTRES)
      for (const categoryIds of [[frequent], [rare], [frequent, rare]]) {
        const within = metres || Number.POSITIVE_INFINITY;
        const boxes = metres ? boxesAround(center, metres) : undefined;
        const all = rows
          .filter(({ category }) => categoryIds.includes(category))
          .map((row) => distanceBetween(center, row));
        const wanted = all.filter((each) => each <= within).sort((a, b) => a - b);
        const found = (await nearestVenues(pool, { center, boxes, categoryIds }, 30)).map((row) =>
          distanceBetween(center, row),
        );
        expect(found.filter((each) => each <= within).map(Math.round)).toEqual(
          wanted
            .slice(0, found.length)
            .filter((each) => each <= within)
            .map(Math.round),
        );
        expect(found.length).toBeGreaterThanOrEqual(Math.min(30, wanted.length));
      }
  },
);

// Several servers have their own rings and plans.
test.skipIf(CITUS_URL)(
  "C79: a search for a category that is frequent only elsewhere reads few venues of other categories",
  async () => {
    const read: number[] = [];
    const asked = new Proxy(pool, {
      get: (target, key) => (key === "query" ? explained : Reflect.get(target, key)),
    });
    async function explained(query: { text: string; values: unknown[] }) {
      const { rows } = await pool.query(`EXPLAIN (ANALYZE, TIMING off, FORMAT JSON) ${query.text}`, query.values);
      read.push(scanned(rows[0]["QUERY PLAN"][0].Plan));
      return pool.query(query);
    }
    await nearestVenues(asked, { center: DOWNTOWN, categoryIds: [frequent] }, 30);
    expect(read.length).toBeGreaterThan(2);
    expect(Math.max(...read)).toBeLessThan(6000);
  },
);

interface Plan {
  "Relation Name"?: string;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** Venues read by a plan. */
const scanned = ({ Plans = [], ...node }: Plan): number =>
  (node["Relation Name"] === "venue" ? node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) : 0) +
  Plans.reduce((sum, plan) => sum + scanned(plan), 0);
