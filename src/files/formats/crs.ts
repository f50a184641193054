import { fromMercator } from "../row/mercator.ts";
import { unusableFile } from "./base/refusal.ts";
import { type Fields, shapeFields } from "./fields.ts";

/** Codes whose coordinates are degrees: WGS 84, and those that differ from it by a metre or two. */
const DEGREES = /(?:^|\D)(?:CRS(?:84h?|83)|4326|4979|4258|4269)$/i;
/** Web Mercator, and its older names. */
const METRES = /(?:^|\D)(?:3857|900913|102100|3785)$/;

/**
 * Returns what turns the positions of a record into degrees, if the coordinates are not degrees yet. `crs` names their reference
 * system, such as `urn:ogc:def:crs:EPSG::3857`.
 * @throws KnownError 400 for a system other than WGS 84 and Web Mercator
 */
export function toDegrees(crs: string | undefined): ((fields: Fields, path: string) => void) | undefined {
  const name = crs && shortName(crs);
  if (!name || DEGREES.test(name)) return undefined;
  if (METRES.test(name)) return putDegrees;
  throw unusableFile(
    `The positions in this file are not in degrees of latitude and longitude, but in ${name}. Export it in WGS 84 (EPSG:4326).`,
  );
}

/** The code in a URN, or in PROJJSON, whose own code comes last. */
const shortName = (crs: string): string | undefined =>
  (crs.startsWith("{") ? /"code"\s*:\s*"?(\w+)/.exec(crs.slice(crs.lastIndexOf("{")))?.[1] : crs)
    ?.replace(/^urn:ogc:def:crs:(\w+):[^:]*:/i, "$1:")
    .slice(0, 60);

function putDegrees(fields: Fields, path: string): void {
  const { lat, lng } = shapeFields(path);
  const x = fields.get(lng);
  const y = fields.get(lat);
  if (!x || !y) return;
  const degrees = fromMercator(Number(x), Number(y));
  fields.set(lat, String(degrees.lat));
  fields.set(lng, String(degrees.lng));
}
