import type { LatLng } from "../../contract/parameters.ts";
import { tidyDegrees } from "./position.ts";

/** Metres, of a sphere (EPSG:3857). */
const RADIUS = 6_378_137;
/** Metres from the middle of the map to its edges. */
const EDGE = Math.PI * RADIUS;

export const fromMercator = (x: number, y: number): LatLng =>
  tidyDegrees({
    lat: (2 * Math.atan(Math.exp(y / RADIUS)) - Math.PI / 2) * (180 / Math.PI),
    lng: (x / RADIUS) * (180 / Math.PI),
  });

/** Parses a coordinate in metres, such as `-7950682,94`. Undefined if it is off the map. */
export function parseMetres(text: string): number | undefined {
  const plain = text.trim().replace(/[−–]/g, "-").replace(",", ".");
  const metres = /^[+-]?\d{1,8}(?:\.\d{1,20})?$/.test(plain) ? Number(plain) : undefined;
  return metres !== undefined && Math.abs(metres) <= EDGE ? metres : undefined;
}
