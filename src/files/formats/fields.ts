import { type Geometry, isGeometry, pointIn } from "../../shared/geometry.ts";
import { LEAF_DEPTH } from "./base/limits.ts";
import { roundedText } from "./base/numbers.ts";

/** The fields of a record by their paths, such as `address.city`. */
export type Fields = Map<string, string>;

/** Lists of objects become `addresses.0.city`, unless they have more. */
const MOST_ITEMS = 10;

/** Where the position of a feature or a column with geometries stands. */
export const SHAPE = "geometry";
export const shapeFields = (path: string) => ({ lat: `${path}.latitude`, lng: `${path}.longitude`, shape: path });

/** Behind the name of a column of ours that the owner's columns have, too. */
export const OURS = " (Samespot)";

/** The property of our exports that says where a feature's geometry is from. */
export const POSITION_FROM = "position_from";

/** Columns that exports add, in their order: what became of a row, and why one failed. */
export const RECEIPT_NAMES = [
  "venue_id",
  "score",
  "decision",
  "decided_by",
  "decided_at",
  "reason",
  "attribution",
] as const;
export const FAILURE_NAMES = ["error_line", "error_column", "error_value", "error_code", "error_message"] as const;
export const candidateNames = (number: number) =>
  ["id", "name", "score"].map((part) => `candidate_${number}_${part}`) as [string, string, string];

/** Returns the columns that an export added to a file that is read again. */
export function exportedColumns(header: readonly string[]): Set<number> {
  const names = header.map((name) => name.replace(SUFFIXES, ""));
  const found = new Set<number>();
  const at = (index: number, wanted: readonly string[]) => wanted.every((name, step) => names[index + step] === name);
  for (const [index, name] of names.entries()) {
    const run = [RECEIPT_NAMES, FAILURE_NAMES].find((wanted) => at(index, wanted));
    for (const step of run?.keys() ?? []) found.add(index + step);
    const isBehind = found.has(index - 1) && (name === POSITION_FROM || /^candidate_\d_(?:id|name|score)$/.test(name));
    if (isBehind) found.add(index);
  }
  return found;
}

const SUFFIXES = / \(Samespot\)(?: \(Samespot\))*$/;

/** What it says of positions that are not the owner's: their feature has none when it is read again. */
export const FOUND_POSITIONS = ["venue", "address"] as const;

/** Flattens a record. One of GeoJSON's features gives its properties, with a position inside its geometry. */
export function fieldsOf(record: object): Fields {
  const fields: Fields = new Map();
  if (!isFeature(record)) {
    enter(fields, "", record, 0);
    return fields;
  }
  const { id, geometry, properties } = record;
  const own = properties ?? {};
  if (id !== undefined) enter(fields, idName(own), id, 1);
  enter(fields, "", own, 0);
  if (geometry && !isFound(own)) enterShape(fields, SHAPE, geometry);
  return fields;
}

export interface Feature {
  id?: unknown;
  geometry: Geometry | null;
  properties?: Record<string, unknown> | null;
}

export const isFeature = (record: object): record is Feature => {
  const { type, geometry } = record as Record<string, unknown>;
  return type === "Feature" && (geometry === null || isGeometry(geometry));
};

/** The name of a feature's id among its properties. */
export const idName = (properties: object): string => (Object.hasOwn(properties, "id") ? "feature.id" : "id");

/** The last export added the longest of these names. */
export function isFound(properties: Record<string, unknown>): boolean {
  let name = POSITION_FROM;
  while (Object.hasOwn(properties, name + OURS)) name += OURS;
  return FOUND_POSITIONS.some((found) => properties[name] === found);
}

function enter(fields: Fields, path: string, value: unknown, depth: number): void {
  if (value === null || value === undefined) fields.set(path, "");
  else if (value instanceof Date) fields.set(path, Number.isNaN(value.getTime()) ? "" : value.toISOString());
  else if (value instanceof Uint8Array) fields.set(path, Buffer.from(value).toString("hex"));
  else if (typeof value === "number") fields.set(path, isRounded(value) ? roundedText(value) : String(value));
  else if (typeof value !== "object") fields.set(path, String(value));
  else if (isGeometry(value) && path !== "") enterShape(fields, path, value);
  else if (depth >= LEAF_DEPTH) fields.set(path, asJson(value));
  else if (Array.isArray(value)) enterList(fields, path, value, depth);
  else
    for (const [name, each] of Object.entries(value))
      enter(fields, path === "" ? name : `${path}.${name}`, each, depth + 1);
}

export const isRounded = (number: number): boolean => Number.isInteger(number) && !Number.isSafeInteger(number);

function enterList(fields: Fields, path: string, list: unknown[], depth: number): void {
  const isPlain = list.every((each) => typeof each !== "object" || each === null);
  if (isPlain) fields.set(path, list.map((each) => (each === null ? "" : String(each))).join("; "));
  else if (list.length > MOST_ITEMS || list.some(Array.isArray)) fields.set(path, asJson(list));
  else for (const [index, each] of list.entries()) enter(fields, `${path}.${index}`, each, depth + 1);
}

/** The shape itself stays only if a position is not all of it. */
function enterShape(fields: Fields, path: string, geometry: Geometry): void {
  const point = pointIn(geometry);
  const { lat, lng, shape } = shapeFields(path);
  fields.set(lat, point ? String(point[1]) : "");
  fields.set(lng, point ? String(point[0]) : "");
  if (geometry.type !== "Point") fields.set(shape, asJson(geometry));
}

export const asJson = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    typeof each === "bigint" ? String(each) : each instanceof Uint8Array ? Buffer.from(each).toString("hex") : each,
  ) ?? "";
