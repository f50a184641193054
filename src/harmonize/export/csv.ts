import type { FileFormat } from "../../files/format.ts";
import { csvRecord } from "../../files/formats/base/rows.ts";

export const BYTE_ORDER_MARK = "\ufeff";

/** Writes records as spreadsheets expect them: csvRecord() with their line end. */
export const csvLines = (rows: string[][], separator: FileFormat["separator"] = ","): string =>
  rows.map((cells) => csvRecord(cells, separator, { end: "\r\n" })).join("");

/** The columns of a table in their order, each with its cell of a row. */
export type CsvColumns<Row> = Record<string, (row: Row) => string>;

export const cellsOf = <Row>(columns: CsvColumns<Row>, row: Row): string[] =>
  Object.values(columns).map((cell) => cell(row));

/** What a file with these columns begins with. */
export const csvHead = (columns: Record<string, unknown>): string => BYTE_ORDER_MARK + csvLines([Object.keys(columns)]);

export const csvRows = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string =>
  csvLines(rows.map((row) => cellsOf(columns, row)));
