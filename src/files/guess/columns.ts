import { fieldsNamedIn, isIdName, meaningOf } from "../../shared/csv/column-names.ts";
import { type Columns, type Field, hasPosition, indexesOf } from "../columns.ts";
import { exportedColumns } from "../formats/fields.ts";
import { partsOfPacked } from "../row/unpacked.ts";
import { guessCodes } from "./codes.ts";
import { guessByContent } from "./content.ts";
import { isPlausible, saysTown } from "./plausible.ts";
import { guessHemispheres, guessNamedPosition } from "./positions.ts";
import { findStreetParts, findUnnamedNumbers, joinStreetParts } from "./street-parts.ts";
import { areIds, type Guess, moreThan, valuesOf, variety } from "./values.ts";

/**
 * Guesses by name, then by words in the name, then by content. `rows` can overrule a name. What an export of ours added says
 * nothing of a listing.
 */
export function guessColumns(names: string[], hasHeader: boolean, rows: string[][]): Columns {
  const cells = rows.slice(0, Math.ceil(MOST_CELLS / names.length));
  // Not taken: whether any column is tells whether a name was known.
  const added = hasHeader ? exportedColumns(names) : new Set<number>();
  const header = names.map((name, index) => (added.has(index) ? "" : name));
  const values = names.map((_, index) => (added.has(index) ? [] : valuesOf(cells, index)));
  const columns: Columns = {};
  const taken = new Set<number>();
  const take = (field: Field, index: number) => {
    if (columns[field] !== undefined || taken.has(index) || index < 0) return;
    columns[field] = index;
    taken.add(index);
  };
  const guess = { header, rows: cells.length, cells, values, columns, taken, take };
  guessCodes(guess);
  const parts = hasHeader ? findStreetParts(guess) : new Map();
  if (hasHeader) {
    guessNamedPosition(guess);
    guessByName(guess);
    guessByWords(guess);
  }
  guessByContent(guess);
  findUnnamedNumbers(guess, parts);
  joinStreetParts(guess, parts);
  guessHemispheres(guess);
  guessWholeAddress(guess);
  return columns;
}

/** Cells used for guessing, which blocks the process (attacks F28). */
const MOST_CELLS = 10_000;

/** Prefers the best name for a field; columns that are empty or have one value throughout, or repeated ids, come last. */
function guessByName({ header, values: all, take, taken }: Guess): void {
  const named = header.flatMap((name, index) => {
    const meaning = taken.has(index) ? undefined : meaningOf(name);
    const values = all[index] ?? [];
    if (!meaning) return [];
    const isEmpty = values.length === 0;
    if (isEmpty && meaning.field === "id") return [];
    if (!isPlausible(meaning.field, values) && !(isIdName(name) && variety(values) > 0.5)) {
      const isNumbered = meaning.field === "name" && areIds(values); // a column "Store" with 101, 102…
      return isNumbered ? [{ field: "id" as const, rank: Infinity, index, isAlike: false, isEmpty }] : [];
    }
    const isDouble = meaning.field === "id" && !isPlausible("id", values);
    const isAlike = isDouble || (values.length > 2 && new Set(values).size === 1);
    return [{ ...meaning, index, isAlike, isEmpty }];
  });
  named.sort(
    (a, b) => Number(a.isEmpty) - Number(b.isEmpty) || Number(a.isAlike) - Number(b.isAlike) || a.rank - b.rank,
  );
  for (const { field, index } of named) take(field, index);
}

function guessByWords({ header, values, take, taken, columns }: Guess): void {
  for (const [index, name] of header.entries()) {
    const all = values[index] ?? [];
    if (taken.has(index) || all.length === 0 || meaningOf(name)) continue;
    const named: Field[] = fieldsNamedIn(name);
    const others = named.filter((field) => field !== "name");
    const best = (others.length > 0 ? others : named).find(
      (field) => columns[field] === undefined && isPlausible(field, all),
    );
    if (best) take(best, index);
  }
}

/** A cell that holds street and town, if no other column tells the town. */
function guessWholeAddress({ columns, values, take, taken }: Guess): void {
  if (columns.city !== undefined || columns.zip !== undefined || columns.wholeAddress !== undefined) return;
  const [address] = indexesOf(columns, "address");
  if (address !== undefined) {
    if (!moreThan(0.5, values[address] ?? [], saysTown)) return;
    if (columns.address !== undefined) columns.wholeAddress = columns.address;
    delete columns.address;
    return;
  }
  // Texts that only look like addresses are not needed beside a position; structures are unmistakable. "bar; pub" is none.
  const isAddress = (value: string) =>
    (partsOfPacked(value) !== undefined || (!hasPosition(columns) && /\d/.test(value))) && saysTown(value);
  take(
    "wholeAddress",
    values.findIndex((all, index) => !taken.has(index) && moreThan(0.5, all, isAddress)),
  );
}
