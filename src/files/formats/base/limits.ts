import { unusableFile } from "./refusal.ts";

export const MEGABYTE = 1024 * 1024;
const MB = MEGABYTE;

// A small file can hold a large one, so each of these is counted while the file is read (attacks F33).
/** Bytes of an unpacked file, and of its rows as text. */
export const MOST_UNPACKED = 400 * MB;
/** Bytes of one sheet's XML, which is some ten times its text. */
export const MOST_XML = 1024 * MB;
/** Bytes of a workbook's shared texts, which stay in memory. */
export const MOST_TEXTS = 48 * MB;
/** Bytes of XML that are looked at to find the sheet with the table, and of the parts of a workbook that are no sheets. */
export const MOST_LOOKED_AT = 64 * MB;
/** Files in a zip file. */
export const MOST_ENTRIES = 2000;
/** Characters of one record of JSON. */
export const LONGEST_RECORD = MB;
/** Levels of a JSON file; fields deeper than LEAF_DEPTH stay JSON. */
export const MOST_DEPTH = 200;
export const LEAF_DEPTH = 8;
/** Rows above the names of columns, which do not count. */
export const MOST_ABOVE = 100;
/** Names of fields that are told apart in a file. */
export const MOST_NAMES = 10_000;
/**
 * Bytes of one page in Parquet, of the pages of all columns together, and of the values of their dictionaries, which fill the
 * heap. DuckDB writes 122,880 rows of a column as one page, so that a page of every column is most of a row group.
 */
export const MOST_PAGE = 32 * MB;
export const MOST_PAGES = 256 * MB;
export const MOST_DICTIONARIES = 64 * MB;
export const MOST_FOOTER = 8 * MB;

/** Bytes of a process that reads a file: all of it, and its heap. It has 80 MB at the start (attacks F74). */
export const MOST_MEMORY = 512 * MB;
export const MOST_HEAP = 96 * MB;
export const MOST_YOUNG = 16 * MB;
/** How such a process ends if it takes more: by reader-watch.ts, or by V8 if the heap is full. */
export const OUT_OF_MEMORY = ["SIGKILL", "SIGABRT", "SIGTRAP", "SIGILL"];
export const OUT_OF_TIME = "SIGALRM";
/** Seconds of a processor for a file of so many bytes: some four times what a list of a million rows takes. */
export const secondsFor = (size: number): number => 180 + (size / MB) * 3;

export const tooLarge = (megabytes: number) =>
  unusableFile(`A file may have at most ${megabytes} MB. Split it and upload the parts separately.`, 413);

export const tooMuch = (what: string) =>
  unusableFile(`${what} Split it into several files, or save the list as CSV.`, 413);

export const tooManyRows = (most: number) =>
  tooMuch(`This file has more than ${most.toLocaleString("en")} rows, which is the limit.`);

/** A list is never packed so much smaller. What has few bytes may be. */
const MOST_RATIO = 200;
const FEW = 32 * MB;

/** Throws KnownError 413 if so many bytes come of so few. */
export function checkRatio(unpacked: number, packed: number): void {
  if (unpacked > FEW && unpacked > MOST_RATIO * packed)
    throw tooMuch(`Unpacked, this file is more than ${MOST_RATIO} times as large.`);
}

/** Levels of nested archives that are unpacked. */
const MOST_ARCHIVES = 3;

/** @throws KnownError 400 for a file within more archives */
export function checkNesting(archives: number): void {
  if (archives > MOST_ARCHIVES)
    throw unusableFile("This file is packed several times. Unpack it, and upload the list inside.");
}

/** Passes bytes on. Throws KnownError 413 for more than `most`. */
export async function* atMost(
  bytes: AsyncIterable<Buffer>,
  most = MOST_UNPACKED,
  what = "Unpacked, this file",
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > most) throw tooMuch(`${what} has more than ${most / MB} MB.`);
    yield piece;
  }
}
