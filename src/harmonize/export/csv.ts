import type { FileFormat } from "../../files/format.ts";
import { csvRecord } from "../../files/formats/base/rows.ts";

export const BYTE_ORDER_MARK = "\ufeff";

/** Writes records as spreadsheets expect them: csvRecord() with their line end. */
export const csvLines = (rows: string[][], separator: FileFormat["separator"] = ","): string =>
  rows.map((cells) => csvRecord(cells, separator, { end: "\r\n" })).join("");
