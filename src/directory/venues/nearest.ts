import type { Pool } from "pg";
import type { LatLng } from "../../contract/parameters.ts";
import { isDistributed } from "../../db/distributed.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { heldIn } from "./held.ts";
import {
  distanceOnMap,
  formatBox,
  formatPoint,
  mercatorY,
  overlapOf,
  type Region,
  regionOf,
  WHOLE_MAP,
} from "./mercator.ts";
import { VENUE_COLUMNS, type VenueRow } from "./rows.ts";
import { fewTilesUnder, inTiles, ringsAround } from "./tiles.ts";

export interface Area {
  center: LatLng;
  /** Box literals of `venue.point`; undefined means everywhere. */
  boxes?: string[] | undefined;
  categoryIds?: string[] | undefined;
  /** Venues that only the caller may see (held.ts). */
  held?: readonly VenueRow[] | undefined;
}

/** Most venues of a category for which all are sorted by distance. */
const RARE = 2000;

/** Nearest venues searched for a more frequent category. */
const REACH = 20_000;

/** Metres beyond which the order of venues on the map may be wrong, because Mercator stretches. */
const STRAIGHT = 20_000;

/** Margin for nearer venues: of 3,566 searches 21 were wrong without a margin, and none with two more. */
const MARGIN = 5;

export async function nearestVenues(pool: Pool, area: Area, count: number): Promise<VenueRow[]> {
  const [found, held] = [await nearestToAll(pool, area, count), heldIn(area)];
  return held.length === 0 ? found : byDistance(area.center, [...found, ...held]).slice(0, count);
}

async function nearestToAll(pool: Pool, area: Area, count: number): Promise<VenueRow[]> {
  const found = await walk(pool, area, count + MARGIN);
  const farthest = found[count - 1];
  if (farthest && distanceBetween(area.center, farthest) > STRAIGHT)
    return (await walk(pool, area, 4 * count + 200)).slice(0, count);
  return found.slice(0, count);
}

/** Continues across the 180th meridian, where the map ends. */
async function walk(pool: Pool, area: Area, limit: number): Promise<VenueRow[]> {
  const { lat, lng } = area.center;
  const here = await outwards(pool, area, area.center, limit);
  const edge = distanceBetween(area.center, { lat, lng: 180 });
  const last = here.at(-1);
  const beyond =
    here.length === limit && last && distanceBetween(area.center, last) < edge
      ? []
      : await outwards(pool, area, { lat, lng: lng > 0 ? lng - 360 : lng + 360 }, limit);
  return byDistance(area.center, beyond.length ? [...here, ...beyond] : here).slice(0, limit);
}

async function outwards(pool: Pool, { boxes, categoryIds }: Area, center: LatLng, limit: number): Promise<VenueRow[]> {
  const regions = boxes?.map(regionOf) ?? [WHOLE_MAP];
  const found = await Promise.all(regions.map((region) => nearestIn(pool, { center, region, categoryIds, limit })));
  return found.flat();
}

interface Wanted {
  /** Of the map: its longitude may be beyond 180. */
  center: LatLng;
  region: Region;
  categoryIds: string[] | undefined;
  limit: number;
}

/** On several servers, asks those around first, which mostly have enough. */
async function nearestIn(pool: Pool, wanted: Wanted): Promise<VenueRow[]> {
  const { center, region, limit } = wanted;
  const [x, y] = [center.lng, mercatorY(center.lat)];
  for (const around of ringsAround(pool, center)) {
    const near = overlapOf(around, region);
    if (!near) continue;
    const found = await nearestOnMap(pool, { ...wanted, region: near });
    const reach = Math.min(x - around.west, around.east - x, y - around.south, around.north - y);
    const within = found.filter(({ lat, lng }) => distanceOnMap(lng - x, mercatorY(lat) - y) <= reach);
    if (within.length === limit || isSame(near, region)) return found;
  }
  return nearestOnMap(pool, wanted);
}

const isSame = (a: Region, b: Region): boolean =>
  a.west === b.west && a.south === b.south && a.east === b.east && a.north === b.north;

async function nearestOnMap(pool: Pool, { center, region, categoryIds, limit }: Wanted): Promise<VenueRow[]> {
  const tiles = fewTilesUnder(pool, [region]);
  const where = [formatPoint(center), formatBox(region), limit];
  if (!categoryIds) {
    // Several servers answer in any order; one would then not use the index of points.
    const tie = isDistributed(pool) ? ', v.id COLLATE "C"' : "";
    const { rows } = await pool.query<VenueRow>({
      name: tiles ? "nearest-in-tiles" : "nearest",
      text: `SELECT ${VENUE_COLUMNS} FROM directory.venue v
              WHERE ${inTiles("v", "$4", tiles)} AND v.closed_at IS NULL AND v.point <@ $2::box ORDER BY v.point <-> $1::point${tie} LIMIT $3`,
      values: [...where, tiles],
    });
    return rows;
  }
  // The nearest of several servers would have to come together before those of the categories are taken.
  if (!isDistributed(pool) && !(await isRare(pool, categoryIds))) {
    const { rows } = await pool.query<VenueRow>({
      name: "nearest-of-categories",
      text: `SELECT ${VENUE_COLUMNS}
               FROM (SELECT * FROM directory.venue n
                      WHERE n.closed_at IS NULL AND n.point <@ $2::box ORDER BY n.point <-> $1::point LIMIT ${REACH}) v
              WHERE v.category_id = ANY($4::text[]) LIMIT $3`,
      values: [...where, categoryIds],
    });
    return rows;
  }
  const { rows } = await pool.query<VenueRow>({
    name: tiles ? "nearest-of-rare-in-tiles" : "nearest-of-rare",
    text: `SELECT ${VENUE_COLUMNS} FROM directory.venue v
            WHERE ${inTiles("v", "$5", tiles)} AND v.closed_at IS NULL AND v.category_id = ANY($4::text[]) AND v.point <@ $2::box
            ORDER BY (v.point <-> $1::point) + 0, v.id COLLATE "C" LIMIT $3`,
    values: [...where, categoryIds, tiles],
  });
  return rows;
}

async function isRare(pool: Pool, categoryIds: string[]): Promise<boolean> {
  const { rows } = await pool.query<{ n: number }>({
    name: "category-size",
    text: `SELECT count(*)::int AS n
             FROM (SELECT 1 FROM directory.venue WHERE category_id = ANY($1::text[]) LIMIT ${RARE + 1}) counted`,
    values: [categoryIds],
  });
  return (rows[0]?.n ?? 0) <= RARE;
}

function byDistance(center: LatLng, venues: VenueRow[]): VenueRow[] {
  const unique = new Map(venues.map((venue) => [venue.id, { venue, metres: distanceBetween(center, venue) }]));
  return [...unique.values()]
    .sort((a, b) => a.metres - b.metres || (a.venue.id < b.venue.id ? -1 : 1))
    .map(({ venue }) => venue);
}
