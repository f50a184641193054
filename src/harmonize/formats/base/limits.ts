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
/** Files in a zip file. */
export const MOST_ENTRIES = 2000;
/** Characters of one record of JSON. */
export const LONGEST_RECORD = MB;
/** Levels of a JSON file; fields deeper than LEAF_DEPTH stay JSON. */
export const MOST_DEPTH = 200;
export const LEAF_DEPTH = 8;
/** Names of fields that are told apart in a file. */
export const MOST_NAMES = 10_000;
/** The most bytes of one page of a column in Parquet, and of one column of a row group. */
export const MOST_PAGE = 16 * MB;
export const MOST_CHUNK = 64 * MB;
export const MOST_FOOTER = 8 * MB;

export const tooLarge = (megabytes: number) =>
  unusableFile(`A file may have at most ${megabytes} MB. Split it and upload the parts separately.`, 413);

export const tooMuch = (what: string) =>
  unusableFile(`${what} Split it into several files, or save the list as CSV.`, 413);

/** A list is never packed so much smaller. What has few bytes may be. */
const [MOST_RATIO, FEW] = [200, 32 * MB];

/** Throws KnownError 413 if so many bytes come of so few. */
export function checkRatio(unpacked: number, packed: number): void {
  if (unpacked > FEW && unpacked > MOST_RATIO * packed)
    throw tooMuch(`Unpacked, this file is more than ${MOST_RATIO} times as large.`);
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
