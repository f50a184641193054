import { isAscii } from "node:buffer";
import type { Encoding } from "../../shared/csv/text.ts";
import { KnownError } from "../../shared/errors.ts";

/** Bytes from which UTF-16 is told. */
const LOOKED_AT = 4096;

/**
 * Tells how a file is encoded, from all of its bytes as they go by: UTF-16 by its mark or its zeros, UTF-8 where nearly
 * all that is not ASCII is valid in it, else Windows-1252.
 */
export function encodingWatch() {
  const decoder = new TextDecoder("utf-8");
  let utf16: Encoding | undefined;
  let isBegun = false;
  let wasPlain = true;
  let valid = 0;
  let broken = 0;
  return {
    see(bytes: Buffer): void {
      if (!isBegun) utf16 = utf16Of(bytes.subarray(0, LOOKED_AT));
      isBegun = true;
      const isPlain = isAscii(bytes);
      if (utf16 || (isPlain && wasPlain)) return;
      wasPlain = isPlain; // behind what is not plain a character may be open
      const text = decoder.decode(bytes, { stream: true });
      // What takes two bytes and more is fewer characters than bytes; a byte that is wrong becomes one character.
      valid += bytes.length - text.length;
      for (let at = text.indexOf("\uFFFD"); at >= 0; at = text.indexOf("\uFFFD", at + 1)) broken += 1;
    },
    encoding: (): Encoding => utf16 ?? (broken > 0 && valid <= broken ? "windows-1252" : "utf-8"),
  };
}

function utf16Of(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const zeros = [0, 0];
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros.map((count) => count / (bytes.length / 2));
  if (odd > 0.4 && even < 0.1) return "utf-16le";
  return even > 0.4 && odd < 0.1 ? "utf-16be" : undefined;
}

/** Files that are called .csv and are none, by their first bytes in hexadecimal. */
const OTHERS: [magic: string, what: string][] = [
  ["1f8b", "This file is compressed (gzip). Unpack it and send the CSV that is in it."],
  ["504b0304", "This is a zip file or a spreadsheet (.xlsx, .ods). Save the sheet as CSV, or unpack the file, first."],
  ["504b0506", "This is an empty zip file. Send a CSV instead."],
  ["d0cf11e0", "This is an old spreadsheet (.xls). Save it as CSV first."],
  ["25504446", "This is a PDF. Send the list as CSV instead."],
  ["89504e47", "This is a picture (PNG). Send the list as CSV instead."],
  ["28b52ffd", "This file is compressed (zstd). Unpack it and send the CSV that is in it."],
];

/** @throws KnownError 400 for what begins like a packed file, a spreadsheet, a page or anything but text, whatever its name is */
export function refuseOtherFiles(bytes: Buffer): void {
  const begin = bytes.toString("hex", 0, 4);
  const other = OTHERS.find(([magic]) => begin.startsWith(magic));
  if (other) throw unusableFile(other[1]);
  if (/^\W{0,3}\s*<(?:!doctype html|html|\?xml)\b/i.test(bytes.toString("latin1", 0, 200)))
    throw unusableFile("This is a web page (HTML) or XML, not a CSV. Save the list itself as CSV.");
  const looked = bytes.subarray(0, LOOKED_AT);
  if (!utf16Of(looked) && looked.filter(isControl).length > looked.length / 10)
    throw unusableFile("This is not a CSV: much of it is no text (NUL and other control characters).");
}

/** But for tabs and line ends. */
const isControl = (byte: number): boolean => byte < 32 && !(byte >= 9 && byte <= 13);

/** The file is not what we can read; the message says why and what to do. */
export const unusableFile = (message: string, status = 400) =>
  new KnownError(status, "unusable_file", message, { title: "This file cannot be used" });
