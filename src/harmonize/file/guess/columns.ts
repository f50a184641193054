import { fieldsNamedIn, isIdName, meaningOf } from "../../../shared/csv/column-names.ts";
import { parseDegrees } from "../../query/position.ts";
import { type Columns, FIELDS, type Field } from "../../run/rows.ts";
import { guessCodes } from "./codes.ts";
import { guessByContent } from "./content.ts";
import { type Guess, isKey, isPosition, moreThan, valuesOf, variety } from "./values.ts";

/** Guesses by name, then by words in the name, then by content. `rows` can overrule a name. */
export function guessColumns(header: string[], hasHeader: boolean, rows: string[][]): Columns {
  const some = rows.slice(0, Math.ceil(MOST_CELLS / header.length));
  const values = header.map((_, index) => valuesOf(some, index));
  const columns: Columns = {};
  const taken = new Set<number>();
  const take = (field: Field, index: number) => {
    if (columns[field] !== undefined || taken.has(index) || index < 0) return;
    columns[field] = index;
    taken.add(index);
  };
  const guess = { header, rows: some.length, values, columns, taken, take };
  guessCodes(guess);
  if (hasHeader) {
    guessByName(guess);
    guessByWords(guess);
  }
  guessByContent(guess);
  return columns;
}

/** Cells used for guessing, which blocks the process (attacks F28). */
const MOST_CELLS = 10_000;

/** Prefers the best name for a field; columns with one value throughout or repeated ids come last. */
function guessByName({ header, values: all, take }: Guess): void {
  const named = header.flatMap((name, index) => {
    const meaning = meaningOf(name);
    const values = all[index] ?? [];
    if (!meaning) return [];
    if (!isPlausible(meaning.field, values) && !(isIdName(name) && variety(values) > 0.5)) {
      const isNumbered = meaning.field === "name" && isKey(values); // a column "Store" with 101, 102…
      return isNumbered ? [{ field: "id" as const, rank: Infinity, index, isAlike: false }] : [];
    }
    if (meaning.field === "id" && isHouseNumber(header, all, index)) return [];
    const isDouble = meaning.field === "id" && !isPlausible("id", values);
    const isAlike = isDouble || (values.length > 2 && new Set(values).size === 1);
    return [{ ...meaning, index, isAlike }];
  });
  named.sort((a, b) => Number(a.isAlike) - Number(b.isAlike) || a.rank - b.rank);
  for (const { field, index } of named) take(field, index);
}

function guessByWords({ header, values, take }: Guess): void {
  for (const [index, name] of header.entries()) {
    const named: Field[] = fieldsNamedIn(name);
    const [field] = FIELDS.filter((each) => each !== "name" && named.includes(each));
    const best = field ?? named[0];
    if (!best || !isPlausible(best, values[index] ?? [])) continue;
    if (best !== "id" || !isHouseNumber(header, values, index)) take(best, index);
  }
}

function isHouseNumber(header: string[], values: string[][], index: number): boolean {
  if (HOUSE.test(header[index] ?? "")) return true;
  if (!BARE_NUMBER.test(header[index] ?? "")) return false;
  return [index - 1, index + 1].some(
    (beside) =>
      meaningOf(header[beside] ?? "")?.field === "address" &&
      !moreThan(0.5, values[beside] ?? [], (value) => /\d/.test(value)),
  );
}

const HOUSE = /\b(?:house|haus|building|street|civico)\W*(?:n|#|$)/i;
const BARE_NUMBER = /^\W*(?:n[or°º]?|num(?:ber|ero|éro|mer)?)\W*$/iu;

/** The latitude may still be that of a swapped column. Metres are none. */
const isDegree = (value: string): boolean => Math.abs(parseDegrees(value)?.value ?? Number.NaN) <= 180;

/** Checks a guess against the values: "location" is often a town, "number" anything. */
function isPlausible(field: Field, values: string[]): boolean {
  if (values.length === 0) return true;
  if (field === "lat" || field === "lng") return moreThan(0.5, values, isDegree);
  if (field === "ll") return moreThan(0.5, values, isPosition);
  if (field === "name" || field === "address") return !moreThan(0.5, values, (value) => !/\p{L}/u.test(value));
  if (field === "id") return new Set(values).size > values.length * 0.9;
  return true;
}
