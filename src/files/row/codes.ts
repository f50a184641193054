import type { LatLng } from "../../contract/parameters.ts";
import { tidyDegrees } from "./position.ts";

const PLUS_DIGITS = "23456789CFGHJMPQRVWX";
/** A full code of at least ten digits: shorter ones, and those without a region, name an area or need a town. */
const PLUS_CODE = new RegExp(`^[2-9C][2-9CFGHJMPQRV][${PLUS_DIGITS}]{6}\\+[${PLUS_DIGITS}]{2,7}$`, "i");
/** Digits that come in pairs of latitude and longitude; each further one is a cell of a grid. */
const PAIRED = 10;
const GRID = { rows: 5, columns: 4 };

/** Returns the middle of a full plus code, such as `87FCRHFH+C4` (Open Location Code). */
export function fromPlusCode(text: string): LatLng | undefined {
  if (!PLUS_CODE.test(text)) return undefined;
  const digits = [...text.toUpperCase().replace("+", "")].map((digit) => PLUS_DIGITS.indexOf(digit));
  let lat = -90;
  let lng = -180;
  let height = 400;
  let width = 400;
  for (const [at, digit] of digits.entries()) {
    if (at >= PAIRED) {
      height /= GRID.rows;
      width /= GRID.columns;
      lat += Math.floor(digit / GRID.columns) * height;
      lng += (digit % GRID.columns) * width;
    } else if (at % 2 === 0) {
      height /= PLUS_DIGITS.length;
      lat += digit * height;
    } else {
      width /= PLUS_DIGITS.length;
      lng += digit * width;
    }
  }
  return tidyDegrees({ lat: lat + height / 2, lng: lng + width / 2 });
}

const HASH_DIGITS = "0123456789bcdefghjkmnpqrstuvwxyz";
/** Six digits are within some 600 m. */
const GEOHASH = new RegExp(`^(?:[${HASH_DIGITS}]{6,12}|[${HASH_DIGITS.toUpperCase()}]{6,12})$`);
const BITS = 5;

/** Returns the middle of a geohash, such as `drm3bt0zu`. Many words and ids look like one. */
export function fromGeohash(text: string): LatLng | undefined {
  if (!GEOHASH.test(text)) return undefined;
  const lng = { low: -180, high: 180 };
  const lat = { low: -90, high: 90 };
  let isLng = true;
  for (const digit of text.toLowerCase())
    for (let bit = 1 << (BITS - 1); bit > 0; bit >>= 1) {
      const axis = isLng ? lng : lat;
      const middle = (axis.low + axis.high) / 2;
      if (HASH_DIGITS.indexOf(digit) & bit) axis.low = middle;
      else axis.high = middle;
      isLng = !isLng;
    }
  return tidyDegrees({ lat: (lat.low + lat.high) / 2, lng: (lng.low + lng.high) / 2 });
}
