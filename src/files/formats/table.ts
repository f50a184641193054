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

/** How the lines of a file become cells. */
export type TableForm = Pick<FileFormat, "separator" | "headerLine" | "kind" | "isEscaped" | "isWrapped">;

export function readTable(lines: AsyncIterable<Line[]>, form: TableForm): AsyncGenerator<CsvRecord> {
  const { headerLine, kind, isWrapped } = form;
  if (kind) return storedRows(lines, headerLine ?? 0);
  const all = tableLines(lines, headerLine ?? 1);
  return readCsv(isWrapped ? unwrapped(all) : all, form);
}

async function* storedRows(lines: AsyncIterable<Line[]>, from: number): AsyncGenerator<CsvRecord> {
  for await (const record of readCsv(tableLines(lines, 1), { separator: "," })) {
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

/** Lines of one quoted cell become what it says; the others stay. */
async function* unwrapped(batches: AsyncIterable<Line[]>): AsyncGenerator<Line[]> {
  let open: Line[] = [];
  for await (const batch of batches) {
    const found: Line[] = [];
    for (const line of batch) {
      if (open.length === 0 && !line.text.startsWith('"')) {
        found.push(line);
        continue;
      }
      open.push(line);
      const text = open.map((each) => each.text).join("\n");
      const [, inside] = WRAPPED.exec(text) ?? [];
      const [{ number }] = open as [Line];
      if (inside !== undefined) found.push({ number, text: inside.replaceAll('""', '"'), isEnded: line.isEnded });
      else if (open.length < MOST_WRAPPED && !line.isTooLong && !text.slice(1).replaceAll('""', "").includes('"'))
        continue;
      else found.push(...open);
      open = [];
    }
    yield found;
  }
  yield open;
}

/** Spreadsheets may have added separators behind the cell. */
const WRAPPED = /^"((?:[^"]|"")*)"[\s,;|]*$/;
const MOST_WRAPPED = 20;

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
const storable = (text: string): string =>
  text.includes("\0") || !text.isWellFormed() ? text.replaceAll("\0", "␀").toWellFormed() : text;
