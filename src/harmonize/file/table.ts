import { CSV_PROBLEMS, type CsvRecord, readCsv } from "../../shared/csv/csv.ts";
import { withoutNeutralising } from "../../shared/csv/formulas.ts";
import { type Line, readLines } from "../../shared/csv/lines.ts";
import { decodeText } from "../../shared/csv/text.ts";
import type { Problem } from "../run/problems.ts";
import type { FileFormat } from "../run/rows.ts";
import { unusableFile } from "./encoding.ts";

/** A line of the table below its header. */
export interface Row {
  line: number;
  /** As many as there are columns. */
  cells: string[];
  /** Why the line as a whole cannot be read. */
  problem?: Problem;
}

export const MOST_COLUMNS = 500;
/** Characters of a column's name. */
const LONGEST_NAME = 100;
/** Characters of an unreadable line that are kept to show it. */
const SHOWN = 1000;

/** The records of a file from its header on. */
export const readTable = (
  lines: AsyncIterable<Line[]>,
  { separator, headerLine = 1 }: Pick<FileFormat, "separator" | "headerLine">,
) => readCsv(tableLines(lines, headerLine), separator);

async function* tableLines(batches: AsyncIterable<Line[]>, from: number): AsyncGenerator<Line[]> {
  for await (const batch of batches) {
    const isBehind = (batch[0]?.number ?? 0) > from;
    const lines = isBehind
      ? batch
      : batch.filter(({ number, text }) => number >= from && (number > 1 || !separatorIn(text)));
    if (lines.length > 0) yield lines;
  }
}

/** The one that a first line `sep=;` names, by which Excel is told. */
export const separatorIn = (line: string): string | undefined => /^"?sep=(.)"?$/i.exec(line)?.[1];

/**
 * The rows of a file below its header, lines without any text left out. A row with too few cells is filled up; one that
 * cannot be read is there with its problem, so that every line is accounted for (attacks W14).
 */
export async function* readRows(
  bytes: AsyncIterable<Uint8Array>,
  format: FileFormat,
  header: readonly string[],
): AsyncGenerator<Row> {
  let isHeader = format.hasHeader;
  for await (const record of readTable(readLines(decodeText(bytes, format.encoding)), format)) {
    if (!isHeader) yield toRow(record, header);
    isHeader = false;
  }
}

/**
 * The names of the columns, from the first record of the file: no two the same, none empty.
 *
 * @throws KnownError where the record is none or has too many
 */
export function headerOf({ cells, problem }: CsvRecord, hasHeader: boolean): string[] {
  if (!cells) throw unusableFile(`The first line of this file cannot be read: ${CSV_PROBLEMS[problem ?? "open"]}.`);
  if (cells.length > MOST_COLUMNS)
    throw unusableFile(`This file has more than ${MOST_COLUMNS} columns, which is the limit. Is the separator right?`);
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

function toRow({ line, cells: found, problem, text = "" }: CsvRecord, header: readonly string[]): Row {
  if (!found) {
    const cells = header.map((_, index) => (index === 0 ? storable(text.slice(0, SHOWN)) : ""));
    return { line, cells, problem: { code: "unreadable_line", line, why: problem ?? "open" } };
  }
  const cells = header.map((_, index) => storable(withoutNeutralising(found[index] ?? "")));
  const wrong = problemOf(found, header);
  return { line, cells, ...(wrong && { problem: wrong }) };
}

function problemOf(cells: string[], header: readonly string[]): Problem | undefined {
  const surplus = cells.slice(header.length);
  if (surplus.some((cell) => cell.trim() !== "")) {
    const value = storable(surplus.join(" ").slice(0, SHOWN));
    return { code: "too_many_cells", cells: cells.length, columns: header.length, value };
  }
  const at = cells.findIndex((cell) => cell.includes("\uFFFD"));
  if (at < 0) return undefined;
  const value = storable((cells[at] ?? "").slice(0, SHOWN));
  return { code: "undecodable", column: header[at] ?? "", value };
}

/** PostgreSQL stores no NUL: it is shown as its picture, and not asked about. */
const storable = (text: string): string => text.replaceAll("\0", "␀").toWellFormed();
