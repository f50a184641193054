import { MAP_LEVELS, type MapTileAddress } from "../../contract/map.ts";
import type { LatLng } from "../../contract/parameters.ts";
import { radians } from "../../matching/distance.ts";

/** The level whose tiles number the streets. */
const FINEST = Math.max(...MAP_LEVELS);

/** Says why there is no such tile. */
export function missingTile({ z, x, y }: MapTileAddress): string | undefined {
  const end = 2 ** z;
  if (!MAP_LEVELS.some((level) => level === z)) return `z must be one of ${MAP_LEVELS.join(", ")}.`;
  return x < end && y < end ? undefined : `At z=${z}, x and y must be less than ${end}.`;
}

/** The numbers of all tiles at the finest level that a line may touch. */
export function cellsOf(line: readonly LatLng[]): number[] {
  const places = line.map(tileAt);
  const xs = places.map(({ x }) => x);
  const ys = places.map(({ y }) => y);
  const cells: number[] = [];
  for (let x = Math.min(...xs); x <= Math.max(...xs); x++)
    for (let y = Math.min(...ys); y <= Math.max(...ys); y++) cells.push(interleave(x, y));
  return cells;
}

/** The first and the last number of the finest tiles in a tile. */
export function cellRange({ z, x, y }: MapTileAddress): { first: number; last: number } {
  const below = 4 ** (FINEST - z);
  const first = interleave(x, y) * below;
  return { first, last: first + below - 1 };
}

/** In Web Mercator, which ends at 85 degrees. */
function tileAt({ lat, lng }: LatLng): { x: number; y: number } {
  const size = 2 ** FINEST;
  const within = (value: number) => Math.min(size - 1, Math.max(0, Math.floor(value * size)));
  const sine = Math.sin(radians(Math.min(85.05, Math.max(-85.05, lat))));
  return { x: within(lng / 360 + 0.5), y: within(0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) };
}

/** Morton's order, in which the tiles of a coarser level follow each other. */
function interleave(x: number, y: number): number {
  let number = 0;
  for (let bit = 0; bit < FINEST; bit++)
    number |= (((x >> bit) & 1) << (2 * bit)) | (((y >> bit) & 1) << (2 * bit + 1));
  return number;
}
