import { meaningOf } from "../../shared/csv/column-names.ts";
import type { CsvRecord } from "../../shared/csv/csv.ts";
import { givingWay } from "../../shared/csv/give-way.ts";
import { type Line, readLines } from "../../shared/csv/lines.ts";
import { decodeText, type Encoding } from "../../shared/csv/text.ts";
import type { Columns } from "../columns.ts";
import type { FileFormat } from "../format.ts";
import { EMPTY, unusableFile } from "../formats/base/refusal.ts";
import { headerOf, readTable, separatorIn, type TableForm } from "../formats/table.ts";
import { parseDegrees } from "../row/position.ts";
import { guessColumns } from "./columns.ts";

export interface Layout {
  format: FileFormat;
  header: string[];
  columns: Columns;
}

export const LOOKED_AT = { records: 200, characters: 300, lines: 5000 };
/** In order of preference: commas also occur in names and numbers. */
const SEPARATORS = ["\t", ";", "|", ","] as const;
export const LAST_HEADER_LINE = 20;

interface Known {
  isWhole: boolean;
  encoding: Encoding;
  mostColumns: number;
}

const EMPTY_BEGINNING =
  "The file begins with a megabyte of empty lines. Delete them, so that the column names are in the first line.";

/**
 * Keeps what is given of the format.
 * @throws KnownError 400 if the file has no rows or its header cannot be read
 */
export async function guessLayout(
  begin: Buffer,
  { isWhole, encoding, mostColumns, ...given }: Known & Partial<FileFormat>,
): Promise<Layout> {
  const lines = await firstLines(begin, encoding);
  const isCut = !isWhole || lines.length > LOOKED_AT.lines;
  const { hasHeader: _, headerLine, separator: __, ...kept } = given;
  const how = { ...kept, mostColumns, ...(headerLine !== undefined && { headerLine }) };
  const form = await formOf(lines, isCut, { ...how, separator: given.separator ?? saidSeparator(lines) });
  const records = await firstRecords(lines, isCut, { ...how, ...form });
  return layoutOf(records, { ...given, ...form, isWhole, encoding, mostColumns });
}

/** Like guessLayout(), of the first records, which beginOf() may have shortened. */
export async function layoutOf(
  all: CsvRecord[],
  {
    isWhole,
    mostColumns,
    hasHeader: isSaid,
    headerLine: from,
    ...kept
  }: Known & Partial<FileFormat> & Pick<FileFormat, "separator">,
): Promise<Layout> {
  const giveWay = givingWay();
  await giveWay();
  const records = all.slice(isSaid === undefined ? linesAbove(all) : 0);
  const [first] = records;
  if (!first) {
    if (from !== undefined && from > 1) throw unusableFile(`This file is empty from line ${from} on.`);
    throw unusableFile(isWhole ? EMPTY : EMPTY_BEGINNING);
  }
  const hasHeader = isSaid ?? looksLikeHeader(first, records.slice(1));
  const header = headerOf(first, hasHeader, mostColumns);
  const rows = records.slice(hasHeader ? 1 : 0).flatMap(({ cells }) => (cells ? [cells] : []));
  if (hasHeader && records.length === 1 && isWhole)
    throw unusableFile("This file has only one line: the column names, or one row without them. Add what is missing.");
  await giveWay();
  const headerLine = first === all[0] ? from : first.line;
  const format = { ...kept, hasHeader, ...(hasHeader && headerLine !== undefined && { headerLine }) };
  return { format, header, columns: guessColumns(header, hasHeader, rows) };
}

// Read once for all guesses: a megabyte of line ends took seconds for each (attacks F28).
async function firstLines(begin: Buffer, encoding: Encoding): Promise<Line[]> {
  const found: Line[] = [];
  const giveWay = givingWay();
  for await (const batch of readLines(decodeText([begin] as unknown as AsyncIterable<Buffer>, encoding))) {
    for (const line of batch) if (line.isTooLong || /[^\s,;|]/.test(line.text)) found.push(line);
    if (found.length > LOOKED_AT.lines) break;
    await giveWay();
  }
  return found.slice(0, LOOKED_AT.lines + 1);
}

type Reading = TableForm & Pick<Known, "mostColumns">;
type Form = Pick<FileFormat, "separator" | "isEscaped" | "isWrapped">;

/** Keeps what is given. */
async function formOf(
  lines: Line[],
  isCut: boolean,
  given: Omit<Reading, "separator"> & { separator: Form["separator"] | undefined },
): Promise<Form> {
  const best = async (more: Partial<Form>): Promise<Form> => {
    const read = (separator: Form["separator"]) => firstRecords(lines, isCut, { ...given, ...more, separator });
    return { ...more, separator: given.separator ?? (await bestSeparator(read)) };
  };
  if (given.kind) return best({});
  const read = (form: Form, most?: number) => firstRecords(lines, isCut, { ...given, ...form }, most);
  let form = await best(given.isWrapped ? { isWrapped: true } : {});
  const quoted = new Set(lines.flatMap(({ number, text }) => (text.startsWith('"') ? [number] : [])));
  if (!given.isWrapped && quoted.size > 0) {
    const wrapped = await best({ isWrapped: true });
    if (areWrapped(quoted, await read(wrapped), await read(form))) form = wrapped;
  }
  if (given.isEscaped !== undefined || !lines.some(({ text }) => text.includes("\\"))) return form;
  const escaped = await best({ ...(form.isWrapped && { isWrapped: true }), isEscaped: true });
  const plain = await read(form, LOOKED_AT.lines);
  const other = await read(escaped, LOOKED_AT.lines);
  const hasNothing = plain.some(({ cells = [] }) => cells.includes("\\N"));
  return oddRecords(other) - Number(hasNothing) < oddRecords(plain) ? escaped : form;
}

/** Counts the records that are not as wide as most, or are broken. */
function oddRecords(records: CsvRecord[]): number {
  const { width } = usualWidth(records);
  return records.filter(({ cells, isOtherwise }) => isOtherwise || cells?.length !== width).length;
}

/**
 * Whether the lines in quotes are rows only if they are unwrapped: one cell each as they are, as many cells as the others then. A
 * list of addresses has commas, too, but no names of several columns, and a row that is cut short has fewer cells.
 */
function areWrapped(quoted: ReadonlySet<number>, unwrapped: CsvRecord[], plain: CsvRecord[]): boolean {
  const { width } = usualWidth(unwrapped);
  const isQuoted = ({ line }: CsvRecord) => quoted.has(line);
  const whole = plain.filter(isQuoted);
  const areAll = whole.length === plain.length;
  const isOneCell = ({ cells = [] }: CsvRecord) =>
    cells.length === 1 || (areAll && cells.filter((cell) => cell.trim() !== "").length === 1);
  const rows = unwrapped.filter(isQuoted);
  const areAlike = rows.filter(({ cells }) => cells?.length === width).length >= rows.length * MOST_ALIKE;
  const isNamed = unwrapped.some(({ cells = [] }) => cells.length === width && cells.filter(meaningOf).length > 1);
  const areRows = whole.length > 0 && rows.length <= whole.length;
  return width > (areAll ? 1 : 2) && areRows && areAlike && isNamed && whole.every(isOneCell);
}

const MOST_ALIKE = 0.9;

// Drops the last record of a truncated text, which may be incomplete.
async function firstRecords(lines: Line[], isCut: boolean, how: Reading, most: number = LOOKED_AT.records) {
  const records: CsvRecord[] = [];
  const giveWay = givingWay();
  for await (const record of readTable([lines] as unknown as AsyncIterable<Line[]>, how)) {
    records.push(beginOf(record, how.mostColumns));
    if (records.length > most) break;
    await giveWay();
  }
  return isCut && records.length > 1 ? records.slice(0, -1) : records;
}

/** Clips the cells to what is looked at. */
export function beginOf({ cells, ...record }: CsvRecord, mostColumns: number): CsvRecord {
  if (!cells) return record;
  const some = cells.slice(0, mostColumns + 1);
  return { ...record, cells: some.map((cell) => cell.slice(0, LOOKED_AT.characters)) };
}

function saidSeparator([line]: Line[]) {
  const said = line?.number === 1 && separatorIn(line.text);
  return SEPARATORS.find((each) => each === said);
}

/** Prefers the separator by which most lines have equally many cells, then the one with more cells. */
async function bestSeparator(read: (separator: FileFormat["separator"]) => Promise<CsvRecord[]>) {
  let best: { separator: FileFormat["separator"]; share: number; width: number } = {
    separator: ",",
    share: 0,
    width: 1,
  };
  for (const separator of SEPARATORS) {
    const records = await read(separator);
    const { width, lines } = usualWidth(records);
    const share = lines / records.length;
    const isBetter = share > best.share + 0.1 || (share > best.share - 0.1 && width > best.width);
    if (width > 1 && isBetter) best = { separator, share, width };
  }
  return best.separator;
}

/** Without the lines of one cell above a table of at least three. */
function usualWidth(all: CsvRecord[]): { width: number; lines: number } {
  const above = all.findIndex(({ cells = [] }) => cells.length > 1);
  const records = above <= LAST_HEADER_LINE && all.length - above > 2 ? all.slice(Math.max(above, 0)) : all;
  const counts = new Map<number, number>();
  for (const { cells } of records) counts.set(cells?.length ?? 1, (counts.get(cells?.length ?? 1) ?? 0) + 1);
  const [width, lines] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [1, 0]);
  return { width, lines };
}

/** Counts title lines above a table: they fill far fewer cells, and the line below has known column names. */
function linesAbove(records: CsvRecord[]): number {
  const filled = records.map(({ cells = [] }) => cells.filter((cell) => cell.trim() !== "").length);
  const usual = filled.toSorted((a, b) => a - b)[Math.floor(filled.length / 2)] ?? 0;
  const isNamed = (at: number) => {
    const { line = 0, cells = [] } = records[at] ?? {};
    const isHeader = cells.some(meaningOf) && looksLikeHeader({ line, cells, isEnded: true }, records.slice(at + 1));
    return isHeader && line <= LAST_HEADER_LINE;
  };
  const first = filled.findIndex((count) => count > usual / 2);
  if (isNamed(first)) return first;
  // Few rows may have more lines above them, and notes may fill as many cells, one for each column.
  const wide = records.findIndex(({ line, cells = [] }) => {
    const names = cells.slice(0, CELLS_LOOKED_AT).map((cell) => meaningOf(cell)?.field);
    const fields = new Set(names.filter((field) => field !== undefined)).size;
    return line <= LAST_HEADER_LINE && (fields > 2 || (fields === 2 && names.length === 2));
  });
  return wide > 0 && isNamed(wide) ? wide : 0;
}

/** Bounds the time for rows of very many cells (attacks F28). */
const CELLS_LOOKED_AT = 100;

/** Names of columns may end in it. */
const EPSG = /(?<=[a-z]_?)(?:3857|4326)$/i;

/** Recognizes a header by known names, or if it has no numbers and no value that recurs below. */
function looksLikeHeader({ cells = [] }: CsvRecord, rest: CsvRecord[]): boolean {
  const hasNumbers = cells.some((cell) => parseDegrees(cell) !== undefined || /\d{4}/.test(cell.replace(EPSG, "")));
  const known = cells.filter((cell) => meaningOf(cell)).length;
  if (known > 0 && (!hasNumbers || known > 2)) return true;
  const isRepeated = cells.some((cell, at) => cell.trim() !== "" && rest.some((row) => row.cells?.[at] === cell));
  return !hasNumbers && !isRepeated && rest.length > 0;
}
