import { givingWay } from "../../shared/csv/give-way.ts";

/** Rows of a page: the first one, and the most. */
const ROWS = { first: 10, most: 250 };
/** Characters of a page. */
const CHARACTERS = 250_000;
/** What a cell costs more than its characters, in characters: empty cells cost time as well. */
const CELL = 20;
/** Characters of a piece: what is made of one holds everything else in this process for some milliseconds (attacks F28). */
const PIECE = 50_000;

type WithCells = { cells: string[] };

/** How many rows to read next, from how long those were that were read last: rows may have a megabyte each. */
export function pageSize() {
  let rows = ROWS.first;
  return {
    rows: () => rows,
    /** To be called with each page. */
    see(page: WithCells[]): void {
      const characters = page.reduce((sum, row) => sum + lengthOf(row), 1);
      rows = Math.max(1, Math.min(ROWS.most, Math.floor((CHARACTERS / characters) * page.length) || ROWS.most));
    },
  };
}

/** The rows of a page in pieces, between which others have their turn: rows may be much longer than those before them. */
export async function* inPieces<Row extends WithCells>(page: Row[]): AsyncGenerator<Row[]> {
  const giveWay = givingWay();
  let [piece, length]: [Row[], number] = [[], 0];
  for (const row of page) {
    piece.push(row);
    length += lengthOf(row);
    if (length < PIECE) continue;
    yield piece;
    [piece, length] = [[], 0];
    await giveWay();
  }
  if (piece.length > 0) yield piece;
}

const lengthOf = ({ cells }: WithCells): number => cells.reduce((sum, cell) => sum + cell.length + CELL, 0);
