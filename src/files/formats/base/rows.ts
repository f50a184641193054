import type { CsvRecord } from "../../../shared/csv/csv.ts";
import { neutralised } from "../../../shared/csv/formulas.ts";
import { LONGEST_LINE } from "../../../shared/csv/lines.ts";
import type { FileFormat } from "../../format.ts";

/** A row of a file that is no delimited text. */
export interface TableRow {
  /** Row of the sheet, number of the record, or line of the text; 0 for names that stand in no row. */
  line: number;
  cells: string[];
  /** Why it cannot be read; `cells` then has what is shown of it. */
  problem?: "json" | "long";
}

export interface Table {
  format: Partial<FileFormat>;
  /** Whether a row's `line` is that of a text. */
  isLines?: boolean;
  rows: AsyncIterable<TableRow>;
}

const SHOWN = 1000;

/**
 * A row as it is stored, so that all later steps read delimited text only: one line of CSV whose first cell is the line in the
 * file, with the problem if there is one. Line breaks in cells are `\n`.
 */
export function storedRow({ line, cells, problem }: TableRow): string {
  const text = csvRecord([problem ? `${line} ${problem}` : String(line), ...cells], ",", { written: escaped });
  if (text.length <= LONGEST_LINE) return text;
  const shown = cells.join(" ").slice(0, SHOWN);
  return storedRow({ line, cells: [shown], problem: "long" });
}

/** Undoes storedRow(). */
export function rowOf({ cells: [first = "", ...cells] = [], isEnded }: CsvRecord): CsvRecord {
  const [line, problem] = first.split(" ");
  const own = { line: Number(line), isEnded };
  if (problem) return { ...own, problem: problem as NonNullable<TableRow["problem"]>, text: unescaped(cells[0] ?? "") };
  return { ...own, cells: cells.map(unescaped) };
}

/**
 * Writes a record of CSV (RFC 4180) that reads back as it is, also for programs that see another separator in it. Puts an apostrophe
 * before possible formulas, which our reader removes (attacks W15, W24).
 */
export const csvRecord = (
  cells: string[],
  separator: FileFormat["separator"],
  { end = "\n", written = (cell: string): string => cell } = {},
): string => `${cells.map((_, index) => quoted(written(neutralised(cells, index, separator)))).join(separator)}${end}`;

const quoted = (cell: string): string => (/["\r\n,;\t|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r" };
const SIGNS = new Map(Object.entries(ESCAPES).map(([sign, code]) => [code, sign]));

const escaped = (cell: string): string => cell.replace(/[\\\n\r]/g, (sign) => ESCAPES[sign] ?? sign);

const unescaped = (cell: string): string =>
  cell.includes("\\") ? cell.replace(/\\[\\nr]/g, (code) => SIGNS.get(code) ?? code) : cell;
