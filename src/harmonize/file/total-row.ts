import type { Columns } from "../../files/columns.ts";
import type { Row } from "../../files/formats/table.ts";
import { givenIn } from "../../files/row/row.ts";

/** How spreadsheets call the row of their sums. */
const TOTALS = new Set(
  "total|totals|grand total|subtotal|sum|summe|gesamt|gesamtsumme|insgesamt|suma|total general|totale|totaal|somme|summa|totalt|razem".split(
    "|",
  ),
);

/**
 * Whether a row says only that it is a sum, or that and of how many ("Total" in the first column, "120 shops" in the name's): a place
 * called Total has an address, a town or something else that it is known by. In a list of mere names none has.
 */
export function isTotal({ cells, problem }: Row, columns: Columns): boolean {
  const { id: _id, name: _name, ...others } = columns;
  if (problem || Object.keys(others).length === 0) return false;
  const { id, name, ...known } = givenIn(cells, columns);
  const words = [id, name, ...Object.values(known)].filter((word) => word !== undefined);
  if (words.length === 1 && isTotalWord(words[0])) return true;
  const isCount = name !== undefined && /^\d/.test(name);
  return isCount && Object.keys(known).length === 0 && isTotalWord(cells.find((cell) => cell.trim() !== ""));
}

const isTotalWord = (cell = ""): boolean =>
  TOTALS.has(
    cell
      .trim()
      .toLowerCase()
      .replace(/[\s:.]+$/, ""),
  );

/** Leaves out the last row of a file if it is a total. */
export async function* withoutTotal(rows: AsyncIterable<Row>, columns: Columns): AsyncGenerator<Row> {
  let held: Row | undefined;
  for await (const row of rows) {
    if (held) yield held;
    held = isTotal(row, columns) ? row : undefined;
    if (!held) yield row;
  }
}
