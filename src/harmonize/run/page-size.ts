import { givingWay } from "../../shared/csv/give-way.ts";

const ROWS = { first: 10, most: 250 };
const CHARACTERS = 250_000;
/** Cost of a cell besides its characters, in characters. */
const CELL = 20;
/** Characters. Processing a piece blocks the process for some milliseconds (attacks F28). */
const PIECE = 50_000;

type WithCells = { cells: string[] };

/** Adapts the rows per page to the length of those last seen: a row may have a megabyte. */
export function pageSize() {
  let rows = ROWS.first;
  return {
    rows: () => rows,
    see(page: WithCells[]): void {
      const characters = page.reduce((sum, row) => sum + lengthOf(row), 1);
      rows = Math.max(1, Math.min(ROWS.most, Math.floor((CHARACTERS / characters) * page.length) || ROWS.most));
    },
  };
}

/** Yields the rows in pieces and gives way between them: a row may be far longer than those before. */
export async function* inPieces<Row extends WithCells>(page: Row[]): AsyncGenerator<Row[]> {
  const giveWay = givingWay();
  let piece: Row[] = [];
  let length = 0;
  for (const row of page) {
    piece.push(row);
    length += lengthOf(row);
    if (length < PIECE) continue;
    yield piece;
    piece = [];
    length = 0;
    await giveWay();
  }
  if (piece.length > 0) yield piece;
}

const lengthOf = ({ cells }: WithCells): number => cells.reduce((sum, cell) => sum + cell.length + CELL, 0);
