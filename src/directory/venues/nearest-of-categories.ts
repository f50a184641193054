import type { Pool } from "pg";
import { isDistributed } from "../../db/citus/distributed.ts";
import { type Db, prepared, queryRow, queryRows, rawSql } from "../../db/sql.ts";
import { cellsOf, lexemes, VENUE_WORDS } from "./indexed-words.ts";
import { boxArray, formatBox, formatPoint, type Region } from "./mercator.ts";
import { ringByRing, squareAround, type Wanted } from "./rings.ts";
import { VENUE_COLUMNS, type VenueRow } from "./rows.ts";
import { fewTilesUnder, inTiles, ringsAround } from "./tiles.ts";

type WantedOf = Wanted & { categoryIds: string[] };

/** Most venues of the categories for which all in the region are sorted by distance. */
const RARE = 2000;

/** How many of the nearest venues of any category are read first, for categories that many venues have. */
const REACH = 1000;

/** Mercator degrees around the centre in which frequent categories are then searched, before the whole region. */
const RINGS = [0.1, 0.4, 5];

/**
 * Returns the nearest venues of the categories. For frequent ones it reads the nearest venues of any category first, then growing
 * squares, then the whole region.
 */
export async function nearestOfCategories(pool: Pool, wanted: WantedOf): Promise<VenueRow[]> {
  if (isDistributed(pool)) return byRings(pool, wanted, ringsAround(pool, wanted.center));
  if (await isRare(pool, wanted.categoryIds)) return byRings(pool, wanted, []);
  const close = await amongNearest(pool, wanted);
  return close.length === wanted.limit ? close : nearestOfFrequent(pool, wanted);
}

/** For categories of which the very nearest venues are too few. */
export const nearestOfFrequent = (pool: Pool, wanted: WantedOf): Promise<VenueRow[]> =>
  byRings(
    pool,
    wanted,
    RINGS.map((reach) => squareAround(wanted.center, reach)),
  );

const byRings = (pool: Pool, wanted: WantedOf, rings: Region[]): Promise<VenueRow[]> =>
  ringByRing(rings, wanted, (region) => nearestByWords(pool, { ...wanted, region }));

async function isRare(db: Db, categoryIds: string[]): Promise<boolean> {
  const row = await queryRow<{ n: number }>(prepared(db))`
    SELECT count(*)::int AS n
      FROM (SELECT 1 FROM directory.venue WHERE category_id = ANY (${categoryIds}::text[]) LIMIT ${rawSql(RARE + 1)}) counted`;
  return (row?.n ?? 0) <= RARE;
}

/**
 * Returns those that are among the REACH nearest venues. The box is applied last: PostgreSQL assumes that any box has few venues, and
 * would sort all of them.
 */
export const amongNearest = (db: Db, { center, region, categoryIds, limit }: WantedOf): Promise<VenueRow[]> =>
  queryRows<VenueRow>(prepared(db))`
    SELECT ${VENUE_COLUMNS}
      FROM (SELECT * FROM directory.venue n WHERE n.closed_at IS NULL ORDER BY n.point <-> ${formatPoint(center)}::point LIMIT ${rawSql(REACH)}) v
     WHERE v.category_id = ANY (${categoryIds}::text[]) AND v.point <@ ${formatBox(region)}::box LIMIT ${limit}`;

/** By the index of words, which finds the venues of the categories in a few cells of the map without those of others. */
async function nearestByWords(pool: Pool, { center, region, categoryIds, limit }: WantedOf): Promise<VenueRow[]> {
  const tiles = fewTilesUnder(pool, [region]);
  const box = formatBox(region);
  const query = [lexemes("#", categoryIds), cellsOf([box])].filter(Boolean).join(" & ");
  // By no index of points, whose boxes PostgreSQL takes for small.
  return queryRows<VenueRow>(prepared(pool))`
    SELECT ${VENUE_COLUMNS} FROM directory.venue v
     WHERE ${inTiles(tiles)} AND v.closed_at IS NULL AND ${VENUE_WORDS} @@ ${query}::tsquery
       AND EXISTS (SELECT 1 FROM unnest(${boxArray([box])}::box[]) box WHERE v.point <@ box)
     ORDER BY (v.point <-> ${formatPoint(center)}::point) + 0, v.id COLLATE "C" LIMIT ${limit}`;
}
