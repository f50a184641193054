import { listingAttributes } from "../../contract/parameters.ts";
import { type Columns, FIELDS, type Field } from "../rows.ts";
import { fieldsNamedIn, meaningOf } from "./aliases.ts";
import { isOnEarth, parseDegrees, splitPosition } from "./position.ts";

/**
 * Guesses which column is which field: by its name, then by a word in its name, then by what stands in it.
 *
 * @param rows some rows of the file: a name that they speak against says nothing
 */
export function guessColumns(header: string[], hasHeader: boolean, rows: string[][]): Columns {
  const columns: Columns = {};
  const taken = new Set<number>();
  const take = (field: Field, index: number) => {
    if (columns[field] !== undefined || taken.has(index) || index < 0) return;
    columns[field] = index;
    taken.add(index);
  };
  const guess = { header, hasHeader, rows, columns, taken, take };
  if (hasHeader) {
    guessByName(guess);
    guessByWords(guess);
  }
  guessByContent(guess);
  return columns;
}

interface Guess {
  header: string[];
  hasHeader: boolean;
  rows: string[][];
  columns: Columns;
  taken: Set<number>;
  take: (field: Field, index: number) => void;
}

/** Of several columns for one field the one that says it best; one that says the same in each row, last. */
function guessByName({ header, rows, take }: Guess): void {
  const named = header.flatMap((name, index) => {
    const meaning = meaningOf(name);
    const values = valuesOf(rows, index);
    if (!meaning) return [];
    if (!isPlausible(meaning.field, values)) {
      const isNumbered = meaning.field === "name" && isKey(values); // "Store" above 101, 102…
      return isNumbered ? [{ field: "id" as const, rank: Infinity, index, isAlike: false }] : [];
    }
    if (meaning.field === "id" && isHouseNumber(header, rows, index)) return [];
    const isAlike = values.length > 2 && new Set(values).size === 1;
    return [{ ...meaning, index, isAlike }];
  });
  named.sort((a, b) => Number(a.isAlike) - Number(b.isAlike) || a.rank - b.rank);
  for (const { field, index } of named) take(field, index);
}

function guessByWords({ header, rows, take }: Guess): void {
  for (const [index, name] of header.entries()) {
    const named = fieldsNamedIn(name);
    const [field] = FIELDS.filter((each) => each !== "name" && named.includes(each));
    const best = field ?? named[0];
    if (!best || !isPlausible(best, valuesOf(rows, index))) continue;
    if (best !== "id" || !isHouseNumber(header, rows, index)) take(best, index);
  }
}

/** "N°" beside a street that has none in its cells, or "House No". */
function isHouseNumber(header: string[], rows: string[][], index: number): boolean {
  if (HOUSE.test(header[index] ?? "")) return true;
  if (!BARE_NUMBER.test(header[index] ?? "")) return false;
  return [index - 1, index + 1].some(
    (beside) =>
      meaningOf(header[beside] ?? "")?.field === "address" &&
      share(valuesOf(rows, beside), (value) => /\d/.test(value)) < 0.5,
  );
}

const HOUSE = /\b(?:house|haus|building|street|civico)\W*(?:n|#|$)/i;
const BARE_NUMBER = /^\W*(?:n[or°º]?|num(?:ber|ero|éro|mer)?)\W*$/iu;

function guessByContent({ header, hasHeader, rows, columns, taken, take }: Guess): void {
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
  if (columns.name === 0) return;
  const enough = hasHeader ? TELLING_ROWS : 1;
  const key = free().find(
    ({ index, values }) =>
      values.length >= Math.max(rows.length * 0.95, enough) &&
      isKey(values) &&
      (index === 0 || values.every((value) => /\p{L}/u.test(value))),
  );
  take("id", key?.index ?? -1);
  take(
    "name",
    first((values) => share(values, (value) => /\p{L}{2}/u.test(value)) > 0.8 && isVaried(values)),
  );
}

/** In fewer rows most columns have each value once. */
const TELLING_ROWS = 10;

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
  if (field === "name" || field === "address") return share(values, (value) => /\p{L}/u.test(value)) > 0.5;
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
  values.length > 0 &&
  new Set(values).size === values.length &&
  values.every((value) => /^[\p{L}\p{N}._:/#-]*\d[\p{L}\p{N}._:/#-]*$/u.test(value) && value.length <= 64);

const isVaried = (values: string[]): boolean => new Set(values).size > values.length / 2;
