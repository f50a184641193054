import type { LatLng } from "../../contract/parameters.ts";
import { degreesOf, radians } from "../../matching/distance.ts";

/** Beyond this latitude venues share one line of the map: the projection has no pole. */
const LAST_LATITUDE = 89.9;

/** Mercator's y in degrees, so that one unit is as wide as it is high everywhere and nearest on the map is nearest on the ground. */
function mercatorY(lat: number): number {
  const clipped = Math.max(-LAST_LATITUDE, Math.min(LAST_LATITUDE, lat));
  return (Math.log(Math.tan(Math.PI / 4 + radians(clipped) / 2)) * 180) / Math.PI;
}

/** A PostgreSQL point literal of `venue.point`. */
export const formatPoint = ({ lat, lng }: LatLng): string => `(${lng},${mercatorY(lat)})`;

/**
 * PostgreSQL box literals of `venue.point` that cover a circle of `metres`: one, or two where it crosses the 180th
 * meridian. The corners of a box lie outside the circle.
 */
export function boxesAround({ lat, lng }: LatLng, metres: number): string[] {
  const height = degreesOf(metres);
  const south = lat - height;
  const north = lat + height;
  const farthest = Math.min(Math.max(Math.abs(south), Math.abs(north)), LAST_LATITUDE);
  const width = Math.min(180, height / Math.cos(radians(farthest)));
  return boxesBetween({ lat: south, lng: lng - width }, { lat: north, lng: lng + width });
}

/** Box literals from a south-western to a north-eastern corner; `ne.lng < sw.lng` or beyond ±180 crosses the 180th meridian. */
export function boxesBetween(sw: LatLng, ne: LatLng): string[] {
  const [south, north] = [mercatorY(sw.lat), mercatorY(ne.lat)];
  const box = (west: number, east: number) => `(${east},${north}),(${west},${south})`;
  const east = ne.lng < sw.lng ? ne.lng + 360 : ne.lng;
  if (east - sw.lng >= 360) return [box(-180, 180)];
  if (sw.lng < -180) return [box(-180, east), box(sw.lng + 360, 180)];
  if (east > 180) return [box(sw.lng, 180), box(-180, east - 360)];
  return [box(sw.lng, east)];
}

/** A box literal of the whole map. */
export const EVERYWHERE = "(Infinity,Infinity),(-Infinity,-Infinity)";

/** An array literal of box literals: box[] is the one array type whose elements are separated by semicolons. */
export const boxArray = (boxes: readonly string[]): string => `{${boxes.join(";")}}`;
