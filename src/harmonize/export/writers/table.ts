import type { LatLng } from "../../../contract/parameters.ts";

export interface ExportColumn {
  name: string;
  /** A list is one of numbers, and always empty. */
  kind: "text" | "number" | "list";
  /** What cells of the owner's workbook were that read so. Only a workbook has them again. */
  was?: { number: boolean; date: boolean; boolean: boolean };
}

/** What is written, whatever the format. */
export interface ExportTable {
  columns: ExportColumn[];
  /** In pages. The cells of a row, as text, and its position. */
  pages: AsyncIterable<{ cells: string[]; ll: LatLng | null }[]>;
  /** An upper bound. */
  rowCount: number;
}

export type Pieces = AsyncGenerator<string | Uint8Array>;

/** Null for an empty cell. Numbers are ours; those of the owner's columns stay as they are written. */
export const valueIn = (cell: string, { kind }: Pick<ExportColumn, "kind">): string | number | null =>
  cell === "" ? null : kind === "number" ? Number(cell) : cell;
