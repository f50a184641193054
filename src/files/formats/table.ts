import { CSV_PROBLEMS, type CsvRecord, readCsv } from "../../shared/csv/csv.ts";
import { withoutNeutralising } from "../../shared/csv/formulas.ts";
import { type Line, readLines } from "../../shared/csv/lines.ts";
import { decodeText } from "../../shared/csv/text.ts";
import type { FileFormat } from "../format.ts";
import type { RowProblem } from "../problems.ts";
import { unusableFile } from "./base/refusal.ts";
import { rowOf } from "./base/rows.ts";

export interface Row {
  line: number;
  cells: string[];
  problem?: RowProblem;
  /** Ends with the file, without a line end and with fewer cells than the header: the file may be cut off. */
  isCut?: true;
}

const LONGEST_NAME = 100;
/** Characters kept of an unreadable line. */
const SHOWN = 1000;

export const readTable = (
  lines: AsyncIterable<Line[]>,
  { separator, headerLine, kind }: Pick<FileFormat, "separator" | "headerLine" | "kind">,
): AsyncGenerator<CsvRecord> =>
  kind ? storedRows(lines, headerLine ?? 0) : readCsv(tableLines(lines, headerLine ?? 1), separator);

async function* storedRows(lines: AsyncIterable<Line[]>, from: number): AsyncGenerator<CsvRecord> {
  for await (const record of readCsv(tableLines(lines, 1), ",")) {
    const row = rowOf(record);
    if (row.line >= from) yield row;
  }
}

async function* tableLines(batches: AsyncIterable<Line[]>, from: number): AsyncGenerator<Line[]> {
  for await (const batch of batches) {
    const isBehind = (batch[0]?.number ?? 0) > from;
    const lines = isBehind
      ? batch
      : batch.filter(({ number, text }) => number >= from && (number > 1 || !separatorIn(text)));
    if (lines.length > 0) yield lines;
  }
}

export const separatorIn = (line: string): string | undefined => /^"?sep=(.)"?$/i.exec(line)?.[1];

/**
 * Yields the rows below the header, without blank lines. An unreadable line becomes a row with a problem (attacks W14).
 */
export async function* readRows(
  bytes: AsyncIterable<Uint8Array>,
  format: FileFormat,
  header: readonly string[],
): AsyncGenerator<Row> {
  let isHeader = format.hasHeader;
  for await (const record of readTable(readLines(decodeText(bytes, format.encoding)), format)) {
    if (!isHeader) yield toRow(record, header, withoutNeutralising);
    isHeader = false;
  }
}

/** Returns unique, non-empty names. Throws KnownError 400 if the record is unreadable or has more than `most` cells. */
export function headerOf({ cells, problem }: CsvRecord, hasHeader: boolean, most: number): string[] {
  if (!cells) throw unusableFile(`The first line of this file cannot be read: ${CSV_PROBLEMS[problem ?? "open"]()}.`);
  if (cells.length > most)
    throw unusableFile(`This file has more than ${most} columns, which is the limit. Is the separator right?`);
  const taken = new Set<string>();
  return cells.map((cell, index) => {
    const given = hasHeader
      ? withoutNeutralising(cell)
          .replace(/[\p{Cc}\s]+/gu, " ")
          .trim()
          .slice(0, LONGEST_NAME)
      : "";
    const name = given.toWellFormed() || `Column ${index + 1}`;
    let unique = name;
    for (let times = 2; taken.has(unique); times += 1) unique = `${name} (${times})`;
    taken.add(unique);
    return unique;
  });
}

/** @param plain undoes what was done to a cell when it was written */
export function toRow(
  { line, cells: found, problem, text = "", isEnded }: CsvRecord,
  header: readonly string[],
  plain = (cell: string): string => cell,
): Row {
  if (!found) {
    const cells = header.map((_, index) => (index === 0 ? storable(text.slice(0, SHOWN)) : ""));
    return { line, cells, problem: { code: "unreadable_line", line, why: problem ?? "open" } };
  }
  const cells = header.map((_, index) => storable(plain(found[index] ?? "")));
  const wrong = problemOf(found, header);
  const isCut = !isEnded && found.length < header.length;
  return { line, cells, ...(wrong && { problem: wrong }), ...(isCut && { isCut }) };
}

function problemOf(cells: string[], header: readonly string[]): RowProblem | undefined {
  const surplus = cells.slice(header.length);
  if (surplus.some((cell) => cell.trim() !== "")) {
    const value = storable(surplus.join(" ").slice(0, SHOWN));
    return { code: "too_many_cells", cells: cells.length, columns: header.length, value };
  }
  return undefined;
}

// PostgreSQL cannot store NUL.
const storable = (text: string): string => (UNSTORABLE.test(text) ? text.replaceAll("\0", "␀").toWellFormed() : text);
const UNSTORABLE = /[\0\ud800-\udfff]/;
