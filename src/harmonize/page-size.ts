/** Rows of a page: the first one, and the most. */
const ROWS = { first: 10, most: 250 };
/** Characters of a page: what is made of it holds everything else in this process for some milliseconds. */
const CHARACTERS = 250_000;

/** How many rows to read next, from how long those were that were read last: rows may have a megabyte each. */
export function pageSize() {
  let rows = ROWS.first;
  return {
    rows: () => rows,
    /** To be called with each page. */
    see(page: { cells: string[] }[]): void {
      const characters = page.flatMap(({ cells }) => cells).reduce((sum, cell) => sum + cell.length, 1);
      rows = Math.max(1, Math.min(ROWS.most, Math.floor((CHARACTERS / characters) * page.length) || ROWS.most));
    },
  };
}
