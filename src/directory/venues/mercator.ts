import type { LatLng } from "../../contract/parameters.ts";
import { degreesOf, radians } from "../../matching/distance.ts";

/** Beyond this latitude all venues have the same y, because the projection has no pole. */
const LAST_LATITUDE = 89.9;

/** In degrees, so that near on the map is near on the ground. */
export function mercatorY(lat: number): number {
  const clipped = Math.max(-LAST_LATITUDE, Math.min(LAST_LATITUDE, lat));
  return (Math.log(Math.tan(Math.PI / 4 + radians(clipped) / 2)) * 180) / Math.PI;
}

/** Returns a PostgreSQL point literal of `venue.point`. */
export const formatPoint = ({ lat, lng }: LatLng): string => `(${lng},${mercatorY(lat)})`;

/** A rectangle of the map in Mercator degrees. */
export interface Region {
  west: number;
  south: number;
  east: number;
  north: number;
}

export const contains = ({ west, south, east, north }: Region, x: number, y: number): boolean =>
  x >= west && x <= east && y >= south && y <= north;

/** Computes `<->` of two points as PostgreSQL does, to the last bit. Without arrays: a search calls it hundreds of times. */
export function distanceOnMap(x: number, y: number): number {
  const across = Math.abs(x);
  const up = Math.abs(y);
  const long = Math.max(across, up);
  const short = Math.min(across, up);
  if (short === 0) return long;
  const ratio = short / long;
  return long * Math.sqrt(1 + ratio * ratio);
}

export function overlapOf(a: Region, b: Region): Region | undefined {
  const [west, east] = [Math.max(a.west, b.west), Math.min(a.east, b.east)];
  const [south, north] = [Math.max(a.south, b.south), Math.min(a.north, b.north)];
  return west <= east && south <= north ? { west, south, east, north } : undefined;
}

/** Reads a box literal. */
export function regionOf(box: string): Region {
  const [east = Infinity, north = Infinity, west = -Infinity, south = -Infinity] = (box.match(NUMBER) ?? []).map(
    Number,
  );
  return { west, south, east, north };
}

const NUMBER = /-?(Infinity|[\d.]+(e-?\d+)?)/g;

/** Returns a PostgreSQL box literal. */
export const formatBox = ({ west, south, east, north }: Region): string => `(${east},${north}),(${west},${south})`;

/** One region that covers the circle, or two across the 180th meridian. */
export function regionsAround({ lat, lng }: LatLng, metres: number): Region[] {
  const height = degreesOf(metres);
  const south = lat - height;
  const north = lat + height;
  const farthest = Math.min(Math.max(Math.abs(south), Math.abs(north)), LAST_LATITUDE);
  const width = Math.min(180, height / Math.cos(radians(farthest)));
  return regionsBetween({ lat: south, lng: lng - width }, { lat: north, lng: lng + width });
}

/** `ne.lng < sw.lng`, or a longitude beyond ±180, crosses the 180th meridian. */
function regionsBetween(sw: LatLng, ne: LatLng): Region[] {
  const [south, north] = [mercatorY(sw.lat), mercatorY(ne.lat)];
  const region = (west: number, east: number): Region => ({ west, south, east, north });
  const east = ne.lng < sw.lng ? ne.lng + 360 : ne.lng;
  if (east - sw.lng >= 360) return [region(-180, 180)];
  if (sw.lng < -180) return [region(-180, east), region(sw.lng + 360, 180)];
  if (east > 180) return [region(sw.lng, 180), region(-180, east - 360)];
  return [region(sw.lng, east)];
}

/** The same as box literals. */
export const boxesAround = (center: LatLng, metres: number): string[] => regionsAround(center, metres).map(formatBox);
export const boxesBetween = (sw: LatLng, ne: LatLng): string[] => regionsBetween(sw, ne).map(formatBox);

export const WHOLE_MAP: Region = { west: -Infinity, south: -Infinity, east: Infinity, north: Infinity };
export const EVERYWHERE = formatBox(WHOLE_MAP);

/** Elements of box[] arrays are separated by semicolons, unlike those of all other types. */
export const boxArray = (boxes: readonly string[]): string => `{${boxes.join(";")}}`;
