import type { LatLng } from "../../contract/parameters.ts";
import { distanceOnMap, mercatorY, overlapOf, type Region } from "./mercator.ts";
import type { VenueRow } from "./rows.ts";

export interface Wanted {
  /** Of the map: its longitude may be beyond 180. */
  center: LatLng;
  region: Region;
  limit: number;
}

/** Searches the rings around the centre first, which usually hold enough venues, then the whole region. */
export async function ringByRing(
  rings: readonly Region[],
  { center, region, limit }: Wanted,
  nearestIn: (region: Region) => Promise<VenueRow[]>,
): Promise<VenueRow[]> {
  const [x, y] = [center.lng, mercatorY(center.lat)];
  for (const around of rings) {
    const near = overlapOf(around, region);
    if (!near) continue;
    const found = await nearestIn(near);
    const reach = Math.min(x - around.west, around.east - x, y - around.south, around.north - y);
    const within = found.filter(({ lat, lng }) => distanceOnMap(lng - x, mercatorY(lat) - y) <= reach);
    if (within.length === limit || isSame(near, region)) return found;
  }
  return nearestIn(region);
}

const isSame = (a: Region, b: Region): boolean =>
  a.west === b.west && a.south === b.south && a.east === b.east && a.north === b.north;

/** @param reach Mercator degrees to each side */
export function squareAround({ lat, lng }: LatLng, reach: number): Region {
  const y = mercatorY(lat);
  return { west: lng - reach, south: y - reach, east: lng + reach, north: y + reach };
}
