import type { FileFormat } from "../../files/format.ts";
import { neutralised } from "../../shared/csv/formulas.ts";

export const BYTE_ORDER_MARK = "\ufeff";

/** Writes CSV (RFC 4180). Puts an apostrophe before possible formulas, which our reader removes (attacks W15, W24). */
export const csvLines = (rows: string[][], separator: FileFormat["separator"] = ","): string =>
  rows
    .map((row) => `${row.map((_, index) => quoted(neutralised(row, index, separator))).join(separator)}\r\n`)
    .join("");

/** Also if only another program would see a separator in it. */
const quoted = (cell: string): string => (/["\r\n,;\t|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
