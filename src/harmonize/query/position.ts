import type { LatLng } from "../../contract/parameters.ts";

/** An angle in degrees, and the axis if a compass letter names it. */
export interface Degrees {
  value: number;
  axis: "lat" | "lng" | undefined;
}

const NUMBER = "\\d{1,10}(?:[.,]\\d{1,20})?";
const DEGREES = new RegExp(
  `^([NSEW])?\\s*([+-]?)(${NUMBER})\\s*[°º]?\\s*(?:(${NUMBER})\\s*'\\s*(?:(${NUMBER})\\s*(?:"|''))?)?\\s*([NSEW])?$`,
  "i",
);

/** Parses a latitude or longitude, such as `-71.4°`, `41,82`, `41° 49' 25.2" N` or `4.18E+01`. Checks no range. */
export function parseDegrees(text: string): Degrees | undefined {
  const plain = text.trim().replace(/[−–]/g, "-").replace(/[′’]/g, "'").replace(/[″”“]/g, '"');
  if (/^[+-]?\d{1,10}(?:\.\d{1,20})?e[+-]?\d{1,2}$/i.test(plain)) return { value: Number(plain), axis: undefined };
  const [, before, sign, degrees, minutes, seconds, after] = DEGREES.exec(plain) ?? [];
  if (!degrees || (before && after)) return undefined;
  const [d, m, s] = [degrees, minutes ?? "0", seconds ?? "0"].map((each) => Number(each.replace(",", ".")));
  if (d === undefined || m === undefined || s === undefined || m >= 60 || s >= 60) return undefined;
  const letter = (before ?? after)?.toUpperCase();
  const isNegative = (sign === "-") !== (letter === "S" || letter === "W");
  const size = d + m / 60 + s / 3600;
  const axis = letter === undefined ? undefined : "NS".includes(letter) ? "lat" : "lng";
  return { value: isNegative ? 0 - size : size, axis };
}

/** Splits a cell such as `41.8, -71.4` or `POINT(-71.4 41.8)`. */
export function splitPosition(text: string): [lat: string, lng: string] | undefined {
  const [, x, y] = /^\s*POINT\s*\(\s*(\S+)\s+(\S+?)\s*\)\s*$/i.exec(text) ?? [];
  if (x && y) return [y, x];
  const plain = text.trim().replace(/^[([{]\s*(.*?)\s*[)\]}]$/, "$1");
  for (const separator of [/\s*[;|/]\s*/, /\s*,\s+|\s+,/, /\s+/, /,/]) {
    const [lat, lng, ...more] = plain.split(separator);
    if (lat && lng && more.length === 0) return [lat, lng];
  }
  const [, lat, lng] = /^([^,]+,[^,]+),([^,]+,[^,]+)$/.exec(plain) ?? []; // 41,82,-71,41
  return lat && lng ? [lat, lng] : undefined;
}

export const isOnEarth = ({ lat, lng }: LatLng): boolean => Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
