import { OURS } from "../../../files/formats/fields.ts";
import type { OwnRecord } from "../../../files/formats/json.ts";
import type { Geometry } from "../../../shared/geometry.ts";

export interface ExportColumn {
  name: string;
  /** A list is one of numbers, and always empty. */
  kind: "text" | "number" | "list";
  /** It is a column of the owner's file. */
  isOwn?: boolean;
  /** Whether the column's cells had this type in the owner's workbook. An export as a workbook then types them so again. */
  was?: (type: "number" | "percent" | "date" | "boolean") => boolean;
  /** Digits to which its numbers were filled up with zeros there. */
  digits?: number;
}

/** What is written, whatever the format. */
export interface ExportTable {
  columns: ExportColumn[];
  pages: AsyncIterable<TableRow[]>;
  /** An upper bound. */
  rowCount: number;
}

export interface TableRow {
  /** Of the owner's file, as OwnRecord has it. */
  line: number;
  /** As text. */
  cells: string[];
  /** For GeoJSON only. */
  placed?: { geometry: Geometry | null; from: string };
  /** What the owner's columns are made of, if it is still there; for JSON and GeoJSON only. */
  record?: OwnRecord;
}

export type Pieces = AsyncGenerator<string | Uint8Array>;

/** Null for an empty cell. Numbers are ours; those of the owner's columns stay as they are written. */
export const valueIn = (cell: string, { kind }: Pick<ExportColumn, "kind">): string | number | null =>
  cell === "" ? null : kind === "number" ? Number(cell) : cell;

/** A name that is not taken: ours follow those of the owner. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  while (isTaken(free)) free += OURS;
  return free;
}
