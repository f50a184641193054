import { isAscii } from "node:buffer";
import type { Encoding } from "../../shared/csv/text.ts";
import { unusableFile } from "../formats/base/refusal.ts";
import { guessEncoding } from "./guess-encoding.ts";
import { tellingLines } from "./telling-lines.ts";

/** Bytes from which UTF-16 and files other than text are recognized. */
const LOOKED_AT = 4096;

/**
 * Detects the encoding of a file from all of its bytes as they pass: UTF-16 by its byte order mark or its zeros, UTF-8
 * unless most bytes beyond ASCII are invalid in it or it has escapes of ISO-2022-JP, otherwise by the first lines that
 * are not plain ASCII.
 */
export function encodingWatch() {
  const decoder = new TextDecoder("utf-8");
  const telling = tellingLines();
  let utf16: Encoding | undefined;
  let isBegun = false;
  let wasPlain = true;
  let valid = 0;
  let broken = 0;
  return {
    see(bytes: Buffer): void {
      if (!isBegun) utf16 = utf16Of(bytes.subarray(0, LOOKED_AT));
      isBegun = true;
      if (!utf16) telling.see(bytes);
      const isPlain = isAscii(bytes);
      if (utf16 || (isPlain && wasPlain)) return;
      wasPlain = isPlain; // a character may continue in the next bytes
      const text = decoder.decode(bytes, { stream: true });
      // A character of several bytes becomes fewer UTF-16 units than bytes, an invalid byte becomes one.
      valid += bytes.length - text.length;
      for (let at = text.indexOf("\uFFFD"); at >= 0; at = text.indexOf("\uFFFD", at + 1)) broken += 1;
    },
    async encoding(): Promise<Encoding> {
      if (utf16) return utf16;
      const lines = telling.lines();
      const isOther = (broken > 0 && valid <= broken) || lines.includes(JAPANESE);
      return isOther ? guessEncoding(lines) : "utf-8";
    },
  };
}

/** Begins a Japanese character set in ISO-2022-JP. */
const JAPANESE = "\x1b$";

function utf16Of(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const zeros = [0, 0];
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros.map((count) => count / (bytes.length / 2));
  if (odd > 0.4 && even < 0.1) return "utf-16le";
  return even > 0.4 && odd < 0.1 ? "utf-16be" : undefined;
}

/** Files that may be named .csv but are none that can be read, by their first bytes in hexadecimal. */
const OTHERS: [magic: string, what: string][] = [
  [
    "d0cf11e0",
    "This is a spreadsheet in an old format (.xls), or one with a password. Save it as .xlsx without a password.",
  ],
  ["25504446", "This is a PDF. Send the list as .xlsx or CSV instead."],
  ["89504e47", "This is an image (PNG). Send the list as .xlsx or CSV instead."],
  ["28b52ffd", "This file is compressed (zstd). Unpack it and send the list inside."],
  ["425a6839", "This file is compressed (bzip2). Unpack it and send the list inside."],
  ["fd377a58", "This file is compressed (xz). Unpack it and send the list inside."],
  ["377abcaf", "This is an archive (7z). Unpack it and send the list inside."],
  ["52617221", "This is an archive (rar). Unpack it and send the list inside."],
  [
    "0000270a",
    "This is a part of a shapefile. Open the shapefile in a map program such as QGIS, and export it as GeoJSON or CSV.",
  ],
  [
    "53514c69746520666f726d6174203300",
    "This is a database (SQLite or GeoPackage). Export the table as CSV or GeoJSON.",
  ],
];

const ARCHIVE = "This is an archive (tar). Unpack it and send the list inside.";
/** Where the mark of a tar archive stands. */
const TAR = { at: 257, mark: "ustar" };

/** Texts with tags, by their first tag. */
const TAGGED: [begin: RegExp, what: string][] = [
  [
    /^\W{0,3}\s*<(?:!doctype\b|html|\?xml|\w+(?:\s[^<>]*)?>\s*<\w)/i,
    "This is a web page (HTML) or XML. Save the list itself as CSV, .xlsx or GeoJSON.",
  ],
];

/** @throws KnownError 400 if a file begins like an archive, a spreadsheet, a web page or anything else but text */
export function refuseOtherFiles(bytes: Buffer): void {
  const begin = bytes.toString("hex", 0, 16);
  const other = OTHERS.find(([magic]) => begin.startsWith(magic));
  if (other) throw unusableFile(other[1]);
  if (bytes.toString("latin1", TAR.at, TAR.at + TAR.mark.length) === TAR.mark) throw unusableFile(ARCHIVE);
  const text = bytes.toString("latin1", 0, LOOKED_AT).replaceAll("\0", "");
  const tagged = /^\W{0,3}\s*</.test(text) && TAGGED.find(([pattern]) => pattern.test(text));
  if (tagged) throw unusableFile(tagged[1]);
  const looked = bytes.subarray(0, LOOKED_AT);
  if (!utf16Of(looked) && looked.filter(isControl).length > looked.length / 10)
    throw unusableFile(
      "This is no list that Samespot can read: much of it is not text (NUL and other control characters). Save it as CSV, .xlsx, GeoJSON, JSON or Parquet.",
    );
}

/** Control characters except tabs and line ends. */
const isControl = (byte: number): boolean => byte < 32 && !(byte >= 9 && byte <= 13);
