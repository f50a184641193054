import type { Pool } from "pg";
import type { LatLng } from "../../contract/parameters.ts";
import { isDistributed } from "../../db/citus/distributed.ts";
import { type Sql, sql } from "../../db/sql.ts";
import { mercatorY, type Region } from "./mercator.ts";
import { squareAround } from "./rings.ts";

/**
 * A square of the map, whose venues Citus keeps on one server: a statement that names a tile runs there, and only there it
 * may have every form. Null is the whole map, the only tile of a directory on one server.
 */
export type Tile = number | null;

/** Of search/cells.ts, so that every cell is in one tile. */
const CELLS_PER_DEGREE = 128;
/** A tile's side is 3/16 of a Mercator degree, some 16 km at 40° of latitude. */
const CELLS = 24;
const PER_COLUMN = 8192;

/** More tiles are on nearly all servers. */
const MOST = 16;

/** The same as the SQL function directory.venue_tile. */
export const tileAt = (x: number, y: number): number => indexOf(x) * PER_COLUMN + indexOf(y);

export const tileOf = ({ lat, lng }: LatLng): number => tileAt(lng, mercatorY(lat));

/**
 * Of SQL: limits a statement to the tile in a parameter. The whole map costs nothing: the last column of a row is not read if
 * nothing asks for it.
 */
export const inTile = (venue: string, parameter: string, tile: Tile): string =>
  tile === null ? `${parameter}::int IS NULL` : `${venue}.tile = ${parameter}::int`;

/** That a venue `v` is in one of the tiles; undefined is the whole map. */
export const inTiles = (tiles: readonly number[] | undefined): Sql =>
  tiles ? sql`v.tile = ANY (${tiles}::int[])` : sql`true`;

export const tileOfPlace = (pool: Pool, place: LatLng): Tile => (isDistributed(pool) ? tileOf(place) : null);

export const tileOfPoint = (pool: Pool, x: number, y: number): Tile => (isDistributed(pool) ? tileAt(x, y) : null);

/** Returns the tiles that the regions touch. */
export function tilesUnder(pool: Pool, regions: readonly Region[]): Tile[] {
  return isDistributed(pool) ? [...new Set(regions.flatMap(allUnder))] : [null];
}

/** The same for statements on several tiles; undefined if those are too many to be worth naming. */
export function fewTilesUnder(pool: Pool, regions: readonly Region[]): number[] | undefined {
  if (!isDistributed(pool) || regions.reduce((sum, region) => sum + countUnder(region), 0) > MOST) return undefined;
  return [...new Set(regions.flatMap(allUnder))];
}

/** Mercator degrees, some two kilometres: in a town they hold enough venues, and more would take longer. */
const NEAR = 0.02;
/** Keeps a region that ends at the edge of a tile out of the next tile; some 100 micrometres. */
const BIT = 1e-9;

/** What to search for the nearest venues first, on several servers: a square of two kilometres, then the tiles around. */
export function ringsAround(pool: Pool, center: LatLng): Region[] {
  if (!isDistributed(pool)) return [];
  const [column, row] = [indexOf(center.lng), indexOf(mercatorY(center.lat))];
  const edge = (index: number) => (index * CELLS) / CELLS_PER_DEGREE;
  return [
    squareAround(center, NEAR),
    { west: edge(column - 1), south: edge(row - 1), east: edge(column + 2) - BIT, north: edge(row + 2) - BIT },
  ];
}

const indexOf = (degrees: number): number => Math.floor(Math.floor(degrees * CELLS_PER_DEGREE) / CELLS);

const countUnder = ({ west, south, east, north }: Region): number =>
  (indexOf(east) - indexOf(west) + 1) * (indexOf(north) - indexOf(south) + 1);

function allUnder({ west, south, east, north }: Region): number[] {
  const tiles: number[] = [];
  for (let column = indexOf(west); column <= indexOf(east); column++)
    for (let row = indexOf(south); row <= indexOf(north); row++) tiles.push(column * PER_COLUMN + row);
  return tiles;
}
