import type { Pool } from "pg";
import { isDistributed, ON_ONE_SERVER } from "../../../db/citus/distributed.ts";
import { cellsOf, lexemes, VENUE_WORDS } from "../indexed-words.ts";
import { boxArray, EVERYWHERE, formatPoint, regionOf } from "../mercator.ts";
import { type Area, byDistance } from "../nearest.ts";
import { amongNearest, nearestOfFrequent } from "../nearest-of-categories.ts";
import { VENUE_COLUMNS, type VenueRow } from "../rows.ts";
import { fewTilesUnder, inTiles } from "../tiles.ts";
import type { Reading } from "./readings.ts";

/** Venues read for a reading; with more results, the nearest are found in another way. */
const FEW = 1_000;

export interface Answers {
  venues: VenueRow[];
  hasMore: boolean;
}

/** Returns the `count` nearest of the first FEW venues of each reading; of several servers, of all its venues. */
export async function venuesReading(
  pool: Pool,
  readings: readonly Reading[],
  { center, boxes, categoryIds }: Area,
  count: number,
): Promise<Answers[]> {
  const only = [cellsOf(boxes), categoryIds && lexemes("#", categoryIds)].filter(Boolean);
  const queries = readings.map(({ query }) => [query, ...only].join(" & "));
  const where = [boxArray(boxes ?? [EVERYWHERE]), formatPoint(center), count];
  if (!isDistributed(pool)) return venuesReadingHere(pool, queries, where);
  const tiles = boxes && fewTilesUnder(pool, boxes.map(regionOf));
  return Promise.all(
    queries.map(async (query) => {
      const { rows } = await pool.query<VenueRow>({
        name: tiles ? "venues-reading-in-tiles" : "venues-reading-everywhere",
        text: `SELECT ${VENUE_COLUMNS} FROM directory.venue v
                WHERE ${inTiles("v", "$5", tiles)} AND v.closed_at IS NULL AND ${VENUE_WORDS} @@ $1::tsquery 
                  AND EXISTS (SELECT 1 FROM unnest($2::box[]) box WHERE v.point <@ box)
                ORDER BY (v.point <-> $3::point) + 0, v.id LIMIT $4`, // by the index of words, not that of points
        values: [query, ...where, tiles],
      });
      return { venues: rows, hasMore: false };
    }),
  );
}

async function venuesReadingHere(pool: Pool, queries: string[], where: unknown[]): Promise<Answers[]> {
  const { rows } = await pool.query<VenueRow & { reading: number; answers: number }>({
    name: "venues-reading",
    // Materializing `hits` makes the planner use the index whatever the limit; only `few` rows are read.
    text: `SELECT r.number::int - 1 AS reading, found.answers::int, ${VENUE_COLUMNS} ${ON_ONE_SERVER}
             FROM unnest($1::text[]) WITH ORDINALITY AS r(query, number) CROSS JOIN LATERAL (
                  WITH hits AS MATERIALIZED (
                         SELECT v.id, v.point FROM directory.venue v WHERE v.closed_at IS NULL AND ${VENUE_WORDS} @@ r.query::tsquery),
                       few AS MATERIALIZED (SELECT * FROM hits LIMIT ${FEW + 1})
                  SELECT (SELECT count(*) FROM few) AS answers,
                         ARRAY (SELECT few.id FROM few WHERE EXISTS (SELECT FROM unnest($2::box[]) box WHERE few.point <@ box)
                                 ORDER BY few.point <-> $3::point, few.id LIMIT $4) AS ids) found
             LEFT JOIN directory.venue v ON v.id = ANY (found.ids)`,
    values: [queries, ...where],
  });
  return queries.map((_, number) => {
    const own = rows.filter(({ reading }) => reading === number);
    return { venues: own.filter(({ id }) => id !== null), hasMore: (own[0]?.answers ?? 0) > FEW };
  });
}

export async function venuesAnywhere(
  pool: Pool,
  term: string,
  readings: readonly Reading[],
  categoryIds: readonly string[] | undefined,
  count: number,
): Promise<VenueRow[]> {
  const only = categoryIds ? [lexemes("#", categoryIds)] : [];
  const queries = readings.map(({ query }) => [query, ...only].join(" & "));
  if (!isDistributed(pool)) return venuesAnywhereHere(pool, queries, [term, count]);
  const found = await Promise.all(
    queries.map((query) =>
      pool.query<VenueRow>({
        name: "venues-anywhere-in-tiles",
        text: `SELECT ${VENUE_COLUMNS} FROM directory.venue v WHERE v.closed_at IS NULL AND ${VENUE_WORDS} @@ $1::tsquery
                ORDER BY ${bestCalled("v", "$2")} LIMIT $3`,
        values: [query, term, Math.min(count, FEW)],
      }),
    ),
  );
  return found.flatMap(({ rows }) => rows);
}

async function venuesAnywhereHere(pool: Pool, queries: string[], wanted: unknown[]): Promise<VenueRow[]> {
  const { rows } = await pool.query<VenueRow>({
    name: "venues-anywhere",
    text: `SELECT ${VENUE_COLUMNS} ${ON_ONE_SERVER}
             FROM unnest($1::text[]) AS r(query) CROSS JOIN LATERAL (
                  WITH hits AS MATERIALIZED (SELECT v.id, v.name_norm, v.other_names_norm, v.checkins_count FROM directory.venue v WHERE v.closed_at IS NULL AND ${VENUE_WORDS} @@ r.query::tsquery),
                       few AS MATERIALIZED (SELECT * FROM hits LIMIT ${FEW})
                  SELECT few.id FROM few ORDER BY ${bestCalled("few", "$2")} LIMIT $3) found
             JOIN directory.venue v ON v.id = found.id`,
    values: [queries, ...wanted],
  });
  return rows;
}

const bestCalled = (
  venue: string,
  term: string,
) => `${term} <> ALL (${venue}.name_norm || coalesce(string_to_array(${venue}.other_names_norm, '|'), '{}')), NOT starts_with(${venue}.name_norm, ${term}),
  length(${venue}.name_norm), ${venue}.checkins_count DESC, ${venue}.id`;

/** SQL: that a venue, by its name or by another of its names, has the word $1 and all of $2. */
const CALLED = {
  name: "v.name_norm LIKE $1 AND v.name_norm LIKE ALL ($2::text[])",
  "other-names": "v.other_names_norm LIKE $1 AND v.other_names_norm LIKE ALL ($2::text[])",
};

/** For words so common that they are found quickly. */
export async function nearestCalled(
  pool: Pool,
  words: readonly string[],
  { center, boxes = [EVERYWHERE], categoryIds }: Area,
  count: number,
): Promise<VenueRow[]> {
  const [longest = "", ...others] = words.toSorted((a, b) => b.length - a.length).map((word) => `%${word}%`);
  const found = await Promise.all(
    boxes.flatMap((box) =>
      Object.entries(CALLED).map(([names, isCalled]) =>
        pool.query<VenueRow>({
          name: `nearest-called-${names}`,
          text: `SELECT ${VENUE_COLUMNS} FROM directory.venue v
                  WHERE v.closed_at IS NULL AND ${isCalled} AND v.point <@ $3::box
                    AND ($5::text[] IS NULL OR v.category_id = ANY ($5))
                  ORDER BY v.point <-> $4::point LIMIT $6`,
          values: [longest, others, box, formatPoint(center), categoryIds ?? null, count],
        }),
      ),
    ),
  );
  return found.flatMap(({ rows }) => rows);
}

/** For categories of which closestOfKind() finds too few and many are farther away. */
export const nearestOfKind = (pool: Pool, ids: ReadonlySet<string>, area: Area, limit: number): Promise<VenueRow[]> =>
  ofKind(pool, ids, area, limit, nearestOfFrequent);

/** Returns the nearest venues of the categories, but only of the thousand nearest of any: fewer than `limit` if others may follow. */
export const closestOfKind = async (
  pool: Pool,
  ids: ReadonlySet<string>,
  area: Area,
  limit: number,
): Promise<VenueRow[]> => (isDistributed(pool) ? [] : ofKind(pool, ids, area, limit, amongNearest));

async function ofKind(
  pool: Pool,
  ids: ReadonlySet<string>,
  { center, boxes = [EVERYWHERE], categoryIds }: Area,
  limit: number,
  find: typeof nearestOfFrequent,
): Promise<VenueRow[]> {
  const wanted = [...ids].filter((id) => categoryIds?.includes(id) ?? true);
  if (wanted.length === 0) return [];
  const found = await Promise.all(
    boxes.map((box) => find(pool, { center, region: regionOf(box), categoryIds: wanted, limit })),
  );
  return byDistance(center, found.flat()).slice(0, limit);
}
