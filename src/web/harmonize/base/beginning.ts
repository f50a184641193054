/** Characters; a usable name has no more. */
const SHOWN = 200;

/** What a list or a heading shows of a cell, which may hold thousands of characters. */
export const beginningOf = (cell: string): string =>
  cell.length > SHOWN ? `${cell.slice(0, SHOWN).replace(/\p{Surrogate}$/u, "")}…` : cell;
