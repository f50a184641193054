import type { LatLng } from "../../../contract/parameters.ts";

/** What is written, whatever the format. */
export interface ExportTable {
  columns: { name: string; isNumber: boolean }[];
  /** In pages. The cells of a row, as text, and its position. */
  pages: AsyncIterable<{ cells: string[]; ll: LatLng | null }[]>;
  /** An upper bound. */
  rowCount: number;
}

export type Pieces = AsyncGenerator<string | Uint8Array>;

/** Null for an empty cell. Numbers are ours; those of the owner's columns stay as they are written. */
export const valueIn = (cell: string, { isNumber }: { isNumber: boolean }): string | number | null =>
  cell === "" ? null : isNumber ? Number(cell) : cell;
