import type { CsvRecord } from "../../csv/csv.ts";
import type { Encoding } from "../../csv/text.ts";
import type { Columns, FileFormat } from "../rows.ts";
import { fieldCalled } from "./aliases.ts";
import { unusableFile } from "./encoding.ts";
import { guessColumns } from "./guess-columns.ts";
import { parseDegrees } from "./position.ts";
import { headerOf, isBlank, readTable } from "./table.ts";

/** How a file is read, and what its columns are. */
export interface Layout {
  format: FileFormat;
  header: string[];
  columns: Columns;
}

/** Records that guesses are made from. */
const LOOKED_AT = 200;
/** Of two that fit equally well the first: a comma stands in names and numbers, too. */
const SEPARATORS = ["\t", ";", "|", ","] as const;

/**
 * Guesses how a file is read and what its columns are. What is given of the format is taken as it is.
 *
 * @param begin of the file; `isWhole` says whether that is all of it
 * @throws KnownError 400 for a file without rows, or with a first line that cannot be read
 */
export async function guessLayout(
  begin: Buffer,
  { isWhole, encoding, ...given }: { isWhole: boolean; encoding: Encoding } & Partial<FileFormat>,
): Promise<Layout> {
  const read = (separator: FileFormat["separator"]) => firstRecords(begin, isWhole, { encoding, separator });
  const separator = given.separator ?? (await bestSeparator(read));
  const records = await read(separator);
  const [first] = records;
  if (!first) throw unusableFile("This file is empty: there is no listing in it.");
  const hasHeader = given.hasHeader ?? looksLikeHeader(first, records.slice(1));
  const header = headerOf(first, hasHeader);
  const rows = records.slice(hasHeader ? 1 : 0).flatMap(({ cells }) => (cells ? [cells] : []));
  if (hasHeader && records.length === 1 && isWhole)
    throw unusableFile(
      "This file holds one line only: the names of its columns, or one listing without them. Give both.",
    );
  return { format: { encoding, separator, hasHeader }, header, columns: guessColumns(header, hasHeader, rows) };
}

/** Without the last one where the file goes on: it may be cut. */
async function firstRecords(begin: Buffer, isWhole: boolean, how: Pick<FileFormat, "encoding" | "separator">) {
  const records: CsvRecord[] = [];
  for await (const record of readTable([begin] as unknown as AsyncIterable<Buffer>, how)) {
    if (!isBlank(record)) records.push(record);
    if (records.length > LOOKED_AT) break;
  }
  return isWhole || records.length === 1 ? records : records.slice(0, -1);
}

/** The one by which most lines have as many cells as the first; of several the one that makes more. */
async function bestSeparator(read: (separator: FileFormat["separator"]) => Promise<CsvRecord[]>) {
  let best: { separator: FileFormat["separator"]; share: number; width: number } = {
    separator: ",",
    share: 0,
    width: 1,
  };
  for (const separator of SEPARATORS) {
    const records = await read(separator);
    const width = records[0]?.cells?.length ?? 1;
    const share = records.filter(({ cells }) => cells?.length === width).length / records.length;
    const isBetter = share > best.share + 0.1 || (share > best.share - 0.1 && width > best.width);
    if (width > 1 && isBetter) best = { separator, share, width };
  }
  return best.separator;
}

/** Names say so; without names that we know, a first line without numbers does. */
function looksLikeHeader({ cells = [] }: CsvRecord, rest: CsvRecord[]): boolean {
  const hasNumbers = cells.some((cell) => parseDegrees(cell) !== undefined || /\d{4}/.test(cell));
  const known = cells.filter((cell) => fieldCalled(cell)).length;
  if (known > 0 && (!hasNumbers || known > 2)) return true;
  return !hasNumbers && rest.length > 0;
}
