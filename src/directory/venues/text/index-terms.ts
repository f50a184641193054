import type { Pool } from "pg";
import { isDistributed, ON_ONE_SERVER } from "../../../db/citus/distributed.ts";
import { type Db, prepared, queryRows, rawSql, type Sql, sql } from "../../../db/sql.ts";
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
  const wanted = { within: boxArray(boxes ?? [EVERYWHERE]), point: formatPoint(center), count };
  if (!isDistributed(pool)) return venuesReadingHere(pool, queries, wanted);
  const tiles = boxes && fewTilesUnder(pool, boxes.map(regionOf));
  return Promise.all(
    queries.map(async (query) => ({ venues: await venuesReadingIn(pool, tiles, query, wanted), hasMore: false })),
  );
}

interface Wanted {
  /** An array of boxes. */
  within: string;
  point: string;
  count: number;
}

/** By the index of words, not that of points. */
const venuesReadingIn = (
  db: Db,
  tiles: readonly number[] | undefined,
  query: string,
  { within, point, count }: Wanted,
): Promise<VenueRow[]> =>
  queryRows<VenueRow>(prepared(db))`
    SELECT ${VENUE_COLUMNS} FROM directory.venue v
     WHERE ${inTiles(tiles)} AND v.closed_at IS NULL AND ${VENUE_WORDS} @@ ${query}::tsquery
       AND EXISTS (SELECT 1 FROM unnest(${within}::box[]) box WHERE v.point <@ box)
     ORDER BY (v.point <-> ${point}::point) + 0, v.id LIMIT ${count}`;

async function venuesReadingHere(db: Db, queries: string[], { within, point, count }: Wanted): Promise<Answers[]> {
  // Materializing `hits` makes the planner use the index whatever the limit; only `few` rows are read.
  const rows = await queryRows<VenueRow & { reading: number; answers: number }>(prepared(db))`
    SELECT r.number::int - 1 AS reading, found.answers::int, ${VENUE_COLUMNS} ${rawSql(ON_ONE_SERVER)}
      FROM unnest(${queries}::text[]) WITH ORDINALITY AS r(query, number) CROSS JOIN LATERAL (
           WITH hits AS MATERIALIZED (
                  SELECT v.id, v.point FROM directory.venue v WHERE v.closed_at IS NULL AND ${VENUE_WORDS} @@ r.query::tsquery),
                few AS MATERIALIZED (SELECT * FROM hits LIMIT ${rawSql(FEW + 1)})
           SELECT (SELECT count(*) FROM few) AS answers,
                  ARRAY (SELECT few.id FROM few WHERE EXISTS (SELECT FROM unnest(${within}::box[]) box WHERE few.point <@ box)
                          ORDER BY few.point <-> ${point}::point, few.id LIMIT ${count}) AS ids) found
      LEFT JOIN directory.venue v ON v.id = ANY (found.ids)`;
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
  if (!isDistributed(pool)) return venuesAnywhereHere(pool, queries, term, count);
  const found = await Promise.all(
    queries.map(
      (query) =>
        queryRows<VenueRow>(prepared(pool))`
          SELECT ${VENUE_COLUMNS} FROM directory.venue v WHERE v.closed_at IS NULL AND ${VENUE_WORDS} @@ ${query}::tsquery
           ORDER BY ${bestCalled("v", term)} LIMIT ${Math.min(count, FEW)}`,
    ),
  );
  return found.flat();
}

const venuesAnywhereHere = (db: Db, queries: string[], term: string, count: number): Promise<VenueRow[]> =>
  queryRows<VenueRow>(prepared(db))`
    SELECT ${VENUE_COLUMNS} ${rawSql(ON_ONE_SERVER)}
      FROM unnest(${queries}::text[]) AS r(query) CROSS JOIN LATERAL (
           WITH hits AS MATERIALIZED (SELECT v.id, v.name_norm, v.other_names_norm, v.checkins_count FROM directory.venue v WHERE v.closed_at IS NULL AND ${VENUE_WORDS} @@ r.query::tsquery),
                few AS MATERIALIZED (SELECT * FROM hits LIMIT ${rawSql(FEW)})
           SELECT few.id FROM few ORDER BY ${bestCalled("few", term)} LIMIT ${count}) found
      JOIN directory.venue v ON v.id = found.id`;

/** What sorts the venues of a table, as it is named in the statement. */
function bestCalled(table: string, term: string): Sql {
  const venue = rawSql(table);
  return sql`${term} <> ALL (${venue}.name_norm || coalesce(string_to_array(${venue}.other_names_norm, '|'), '{}')),
    NOT starts_with(${venue}.name_norm, ${term}), length(${venue}.name_norm), ${venue}.checkins_count DESC, ${venue}.id`;
}

/** A venue's name, and its other ones. */
const NAMES = [sql`v.name_norm`, sql`v.other_names_norm`];

/** For words so common that they are found quickly. */
export async function nearestCalled(
  db: Db,
  words: readonly string[],
  { center, boxes = [EVERYWHERE], categoryIds }: Area,
  count: number,
): Promise<VenueRow[]> {
  const [longest = "", ...others] = words.toSorted((a, b) => b.length - a.length).map((word) => `%${word}%`);
  const [point, among] = [formatPoint(center), categoryIds ?? null];
  const found = await Promise.all(
    boxes.flatMap((box) =>
      NAMES.map(
        (name) =>
          queryRows<VenueRow>(prepared(db))`
            SELECT ${VENUE_COLUMNS} FROM directory.venue v
             WHERE v.closed_at IS NULL AND ${name} LIKE ${longest} AND ${name} LIKE ALL (${others}::text[])
               AND v.point <@ ${box}::box AND (${among}::text[] IS NULL OR v.category_id = ANY (${among}))
             ORDER BY v.point <-> ${point}::point LIMIT ${count}`,
      ),
    ),
  );
  return found.flat();
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
