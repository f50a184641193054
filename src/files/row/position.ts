import type { LatLng } from "../../contract/parameters.ts";
import { pointIn } from "../../shared/geometry.ts";
import { geometryOf } from "../../shared/parquet/wkb.ts";
import { isLink, positionInLink } from "./map-link.ts";

/** An angle in degrees, and the axis if a compass letter names it. */
export interface Degrees {
  value: number;
  axis: "lat" | "lng" | undefined;
}

const NUMBER = "\\d{1,10}(?:[.,]\\d{1,20})?";
const DEGREES = new RegExp(
  `^([NSEW])?\\s*([+-]?)\\s*(${NUMBER})\\s*°?\\s*(?:(${NUMBER})\\s*'\\s*(?:(${NUMBER})\\s*")?)?\\s*([NSEW])?$`,
  "i",
);
/** `41:49:25.2`, `41 49 25.2`, or `N 41 49.42`. */
const APART =
  /^([NSEW])?\s*([+-]?)\s*(\d{1,3})[\s:]+(\d{1,2}(?:[.,]\d{1,20})?)(?:[\s:]+(\d{1,2}(?:[.,]\d{1,20})?))?\s*([NSEW])?$/i;
/** `41d 49m 25.2s`, `41 deg 49 min`. */
const UNITS =
  /(\d)\s*(?:degrees|deg|d)\.?\s*(?:(\d[\d.,]*)\s*(?:minutes|min|m)\.?\s*(?:(\d[\d.,]*)\s*(?:seconds|sec|s)\.?)?)?/gi;
/** Characters. Longer cells are no position, and some patterns below take the square of their length. */
const LONGEST = 200;

/** Nearly all cells. */
const PLAIN = /^[+-]?\d{1,10}(?:\.\d{1,20})?$/;

/** Parses a latitude or longitude, such as `-71.4°`, `41,82`, `41° 49' 25.2" N`, `414925N` or `4.18E+01`. Checks no range. */
export function parseDegrees(text: string): Degrees | undefined {
  if (PLAIN.test(text)) return { value: Number(text), axis: undefined };
  if (text.length > LONGEST) return undefined;
  const plain = plainSigns(text);
  if (/^[+-]?\d{1,10}(?:\.\d{1,20})?e[+-]?\d{1,2}$/i.test(plain)) return { value: Number(plain), axis: undefined };
  const apart = APART.exec(plain);
  const [, before, sign, degrees, minutes, seconds, after] = DEGREES.exec(plain) ?? apart ?? [];
  if (!degrees || (before && after)) return undefined;
  const letter = (before ?? after)?.toUpperCase();
  if (apart && !letter && seconds === undefined) return undefined; // may be any two numbers
  const [d, m, s] = [degrees, minutes ?? "0", seconds ?? "0"].map((each) => Number(each.replace(",", ".")));
  if (d === undefined || m === undefined || s === undefined || m >= 60 || s >= 60) return undefined;
  const isNegative = (sign === "-") !== (letter === "S" || letter === "W");
  const axis = letter === undefined ? undefined : "NS".includes(letter) ? "lat" : "lng";
  const size = (axis && minutes === undefined ? packed(degrees, axis) : undefined) ?? d + m / 60 + s / 3600;
  return { value: isNegative ? 0 - size : size, axis };
}

/** Reads degrees, minutes and seconds without signs between: `440613`, `0690633.5`, or `4406.217` without seconds. */
function packed(digits: string, axis: "lat" | "lng"): number | undefined {
  const most = axis === "lat" ? 90 : 180;
  // What may be plain degrees is: 44N, 169W.
  if (Number(digits.replace(",", ".")) <= most) return undefined;
  const [whole = "", fraction = ""] = digits.split(/[.,]/);
  if (whole.length < 4 || whole.length > 7) return undefined;
  const hasSeconds = whole.length > (axis === "lat" ? 4 : 5);
  const seconds = hasSeconds ? Number(`${whole.slice(-2)}.${fraction}`) : 0;
  const rest = hasSeconds ? whole.slice(0, -2) : whole;
  const minutes = Number(hasSeconds ? rest.slice(-2) : `${rest.slice(-2)}.${fraction}`);
  const size = Number(rest.slice(0, -2)) + minutes / 60 + seconds / 3600;
  return minutes < 60 && seconds < 60 && size <= most ? size : undefined;
}

/** Metres from the middle of the map of Web Mercator to its edges: a larger number is no metre. */
const MOST_METRES = 20_037_509;
const E7 = 1e7;

/** Reads whole numbers of ten-millionths of a degree (`latitudeE7`) as degrees. Within 2° of 0, 0 they may be metres. */
export function fromE7({ lat, lng }: LatLng): LatLng {
  const isE7 = Number.isInteger(lat) && Number.isInteger(lng) && Math.max(Math.abs(lat), Math.abs(lng)) > MOST_METRES;
  const degrees = { lat: lat / E7, lng: lng / E7 };
  return isE7 && isOnEarth(degrees) ? degrees : { lat, lng };
}

const plainSigns = (text: string): string =>
  text
    .trim()
    .replace(/[−–]/g, "-")
    .replace(/[′’´`]/g, "'")
    .replace(/[″”“]|''/g, '"')
    .replace(/[º˚]/g, "°")
    .replace(UNITS, (_, degrees, minutes, seconds) =>
      [`${degrees}°`, minutes && `${minutes}'`, seconds && `${seconds}"`].filter(Boolean).join(" "),
    );

/**
 * Splits a cell such as `41.8, -71.4`, `41°49'N 71°25'W`, `POINT(-71.4 41.8)`, the same as hexadecimal WKB, or a link of a map
 * service.
 * @param order of numbers that nothing else tells apart
 */
export function splitPosition(text: string, order: "ll" | "lngLat" = "ll"): [lat: string, lng: string] | undefined {
  if (isLink(text)) return positionInLink(text);
  if (text.length > LONGEST) return undefined;
  const [x, y] = mayBeWkb(text) ? pointOf(text) : ((WKT.exec(text) ?? GEOJSON.exec(text))?.slice(1) ?? []);
  if (x && y) return [y, x];
  const halves = halvesOf(text);
  return order === "lngLat" && halves ? [halves[1], halves[0]] : halves;
}

function halvesOf(text: string): [first: string, second: string] | undefined {
  const plain = plainSigns(text).replace(/^[([{]\s*(.*?)\s*[)\]}]$/, "$1");
  const [, one, two] = COMPASS.map((letters) => letters.exec(plain)).find(Boolean) ?? [];
  if (one && two) return [one, two];
  for (const separator of [/\s*[;|/]\s*/, /\s*,\s+|\s+,/, /\s+/, /,/]) {
    const [lat, lng, ...more] = plain.split(separator);
    if (lat && lng && more.length === 0) return [lat, lng];
  }
  const [, lat, lng] = /^([^,]+,[^,]+),([^,]+,[^,]+)$/.exec(plain) ?? []; // 41,82,-71,41
  return lat && lng ? [lat, lng] : undefined;
}

const WKT = /^\s*(?:SRID=4326;\s*)?POINT\s*(?:Z|M|ZM)?\s*\(\s*([^\s(),]+)\s+([^\s(),]+)(?:\s+[^\s(),]+){0,2}\s*\)\s*$/i;
/** What PostGIS writes for a geometry: the order of bytes, a type, and two doubles at least. */
const WKB = /^\s*0[01][\da-f]{40,}\s*$/i;
export const mayBeWkb = (text: string): boolean => WKB.test(text);

/** Returns a point's coordinates; nothing for other texts of hexadecimal digits, such as a checksum. */
function pointOf(hex: string): string[] {
  try {
    return pointIn(geometryOf(Buffer.from(hex.trim(), "hex")))?.map(String) ?? [];
  } catch {
    return [];
  }
}
const GEOJSON =
  /^\s*\{[^{}[\]]*"coordinates"\s*:\s*\[\s*([^\s,[\]]+)\s*,\s*([^\s,[\]]+)\s*(?:,[^,[\]]*)?\][^{}[\]]*\}\s*$/;
/** A compass letter after each half, or before it. */
const COMPASS = [/^([^NSEW]+[NSEW])[\s,;|/]*([^NSEW]+[NSEW])$/i, /^([NSEW][^NSEW]+?)[\s,;|/]*([NSEW][^NSEW]+)$/i];

export const isOnEarth = ({ lat, lng }: LatLng): boolean => Math.abs(lat) <= 90 && Math.abs(lng) <= 180;

/** Keeps a millimetre, without the noise of a calculation. */
export const tidyDegrees = ({ lat, lng }: LatLng): LatLng => ({
  lat: Number(lat.toFixed(8)),
  lng: Number(lng.toFixed(8)),
});
