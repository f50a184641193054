import type { Geometry } from "../../../shared/geometry.ts";

export interface ExportColumn {
  name: string;
  /** A list is one of numbers, and always empty. */
  kind: "text" | "number" | "list";
  /** Whether the column's cells had this type in the owner's workbook. An export as a workbook then types them so again. */
  was?: (type: "number" | "percent" | "date" | "boolean") => boolean;
}

/** What is written, whatever the format. */
export interface ExportTable {
  columns: ExportColumn[];
  pages: AsyncIterable<TableRow[]>;
  /** An upper bound. */
  rowCount: number;
}

export interface TableRow {
  /** As text. */
  cells: string[];
  /** For GeoJSON only. */
  geometry?: Geometry | null;
}

export type Pieces = AsyncGenerator<string | Uint8Array>;

/** Null for an empty cell. Numbers are ours; those of the owner's columns stay as they are written. */
export const valueIn = (cell: string, { kind }: Pick<ExportColumn, "kind">): string | number | null =>
  cell === "" ? null : kind === "number" ? Number(cell) : cell;
