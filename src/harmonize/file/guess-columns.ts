import { listingAttributes } from "../../contract/parameters.ts";
import { type Columns, FIELDS, type Field } from "../rows.ts";
import { fieldCalled, fieldsNamedIn } from "./aliases.ts";
import { isOnEarth, parseDegrees, splitPosition } from "./position.ts";

/**
 * Guesses which column is which field: by its name, then by a word in its name, then by what stands in it.
 *
 * @param rows some rows of the file, for what the names leave open
 */
export function guessColumns(header: string[], hasHeader: boolean, rows: string[][]): Columns {
  const columns: Columns = {};
  const taken = new Set<number>();
  const take = (field: Field, index: number) => {
    if (columns[field] !== undefined || taken.has(index) || index < 0) return;
    columns[field] = index;
    taken.add(index);
  };
  if (hasHeader) {
    for (const [index, name] of header.entries()) {
      const field = fieldCalled(name);
      if (field && isPlausible(field, valuesOf(rows, index))) take(field, index);
    }
    for (const [index, name] of header.entries()) {
      const named = fieldsNamedIn(name);
      const [field] = FIELDS.filter((each) => each !== "name" && named.includes(each));
      const best = field ?? named[0];
      if (best && isPlausible(best, valuesOf(rows, index))) take(best, index);
    }
  }
  guessByContent({ header, rows, columns, taken, take });
  return columns;
}

interface Guess {
  header: string[];
  rows: string[][];
  columns: Columns;
  taken: Set<number>;
  take: (field: Field, index: number) => void;
}

function guessByContent({ header, rows, columns, taken, take }: Guess): void {
  const free = () =>
    header.map((_, index) => ({ index, values: valuesOf(rows, index) })).filter(({ index }) => !taken.has(index));
  const first = (test: (values: string[]) => boolean) =>
    free().find(({ values }) => values.length > 0 && test(values))?.index ?? -1;
  const isPlaced = columns.ll !== undefined || (columns.lat !== undefined && columns.lng !== undefined);
  if (!isPlaced) {
    const [one, other] = free().filter(({ values }) => share(values, isFineDegree) > 0.8);
    const isTurned = one?.values.some((value) => Math.abs(parseDegrees(value)?.value ?? 0) > 90);
    if (one && other) {
      take("lat", (isTurned ? other : one).index);
      take("lng", (isTurned ? one : other).index);
    } else
      take(
        "ll",
        first((values) => share(values, isPosition) > 0.8),
      );
  }
  take(
    "phone",
    first((values) => share(values, isPhone) > 0.7),
  );
  if (columns.id === undefined && columns.name !== undefined && columns.name === 0) return;
  take(
    "id",
    first((values) => values.length >= rows.length * 0.95 && isKey(values)),
  );
  take(
    "name",
    first((values) => share(values, (value) => /\p{L}{2}/u.test(value)) > 0.8 && isVaried(values)),
  );
}

/** What stands in a column, without empty cells. */
const valuesOf = (rows: string[][], index: number): string[] =>
  rows.map((cells) => cells[index]?.trim() ?? "").filter((value) => value !== "");

const share = (values: string[], test: (value: string) => boolean): number =>
  values.filter(test).length / Math.max(values.length, 1);

/** Whether a column may be what its name says: "location" is often a town, "number" anything. */
function isPlausible(field: Field, values: string[]): boolean {
  if (values.length === 0) return true;
  if (field === "lat" || field === "lng") return share(values, (value) => parseDegrees(value) !== undefined) > 0.5;
  if (field === "ll") return share(values, isPosition) > 0.5;
  if (field === "id") return new Set(values).size > values.length * 0.9;
  return true;
}

/** With decimals, so that whole numbers are no coordinates. */
function isFineDegree(value: string): boolean {
  const degrees = parseDegrees(value);
  return (
    degrees !== undefined && Math.abs(degrees.value) <= 180 && (degrees.axis !== undefined || /[.,]\d{2}/.test(value))
  );
}

function isPosition(value: string): boolean {
  if (!/\d[.,]\d/.test(value)) return false;
  const [lat, lng] = (splitPosition(value) ?? []).map((half) => parseDegrees(half)?.value);
  return lat !== undefined && lng !== undefined && (isOnEarth({ lat, lng }) || isOnEarth({ lat: lng, lng: lat }));
}

const isPhone = (value: string): boolean =>
  /^[+(0]|\d[ ()./-]+\d/.test(value) &&
  listingAttributes.phone.safeParse(value).success &&
  !/^\d{4}-\d\d-\d\d$/.test(value);

const isKey = (values: string[]): boolean =>
  new Set(values).size === values.length &&
  values.every((value) => /^[\p{L}\p{N}._:/#-]*\d[\p{L}\p{N}._:/#-]*$/u.test(value) && value.length <= 64);

const isVaried = (values: string[]): boolean => new Set(values).size > values.length / 2;
