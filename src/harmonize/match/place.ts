import type { LatLng } from "../../contract/parameters.ts";

/** Cells per axis: about 40 m of longitude at the equator. */
const CELLS = 2 ** 20;

/**
 * Returns the number of the position's cell along a Hilbert curve over the globe: 0 to 2^40. Listings with near numbers
 * are near each other, so that a directory finds the venues around them at once.
 */
export function placeOf({ lat, lng }: LatLng): number {
  let [x, y] = [cellOf((lng + 180) / 360), cellOf((lat + 90) / 180)];
  let place = 0;
  for (let side = CELLS / 2; side >= 1; side /= 2) {
    const [right, upper] = [(x & side) > 0, (y & side) > 0];
    place += side * side * (right ? (upper ? 2 : 3) : upper ? 1 : 0);
    if (upper) continue;
    if (right) [x, y] = [CELLS - 1 - x, CELLS - 1 - y];
    [x, y] = [y, x];
  }
  return place;
}

const cellOf = (share: number): number => Math.min(CELLS - 1, Math.max(0, Math.floor(share * CELLS)));
