import { isAscii } from "node:buffer";
import type { Encoding } from "../../shared/csv/text.ts";
import { unusableFile } from "../formats/base/refusal.ts";

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
    "This is a web page (HTML) or XML. If a spreadsheet program opens it, save it there as .xlsx; otherwise save the list itself as CSV, .xlsx or GeoJSON.",
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

/** Bytes kept of all lines, and of one line. */
const MOST = 32 * 1024;
const LONGEST = 4096;

/** ISO-2022-JP is ASCII with escape sequences. */
const ESCAPE = 0x1b;
const LF = 10;
const CR = 13;

/** Keeps the first lines of a file that reveal its encoding: those not in plain ASCII, however far in they are. */
export function tellingLines() {
  const found: Buffer[] = [];
  let size = 0;
  let rest: Buffer = Buffer.alloc(0);
  /** Whether the rest of a line is skipped, because it is too long. Its beginning is kept. */
  let isPassedOver = false;

  function keep(line: Buffer): void {
    if (isPlain(line)) return;
    const kept = line.length > LONGEST ? line.subarray(0, lastCharacterEnd(line)) : line;
    found.push(kept, Buffer.from("\n"));
    size += kept.length;
  }

  return {
    see(bytes: Buffer): void {
      if (size >= MOST) return;
      const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
      let start = isPlain(all) ? lastLineOf(all) : 0;
      if (start > 0) isPassedOver = false;
      for (let at = start; at < all.length; at += 1) {
        if (all[at] !== LF && all[at] !== CR) continue;
        if (!isPassedOver) keep(all.subarray(start, at));
        isPassedOver = false;
        start = at + 1;
      }
      const open = isPassedOver ? all.subarray(0, 0) : all.subarray(start);
      if (open.length > LONGEST) {
        keep(open);
        isPassedOver = true;
      }
      rest = isPassedOver ? all.subarray(0, 0) : Buffer.from(open);
    },
    lines(): Buffer {
      keep(rest);
      return Buffer.concat(found).subarray(0, MOST + LONGEST);
    },
  };
}

const isPlain = (bytes: Buffer): boolean => isAscii(bytes) && !bytes.includes(ESCAPE);

const lastLineOf = (bytes: Buffer): number => Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR)) + 1;

/** Finds where to cut a long line: spaces, commas, semicolons and tabs are never part of a multi-byte character. */
function lastCharacterEnd(line: Buffer): number {
  for (let at = LONGEST; at > 0; at -= 1) if ([0x20, 0x2c, 0x3b, 0x09].includes(line[at] ?? 0)) return at;
  return LONGEST;
}

/** Encodings by their names in jschardet. Its others, mostly of mainframes and DOS, are left out. */
const CALLED: Record<string, Encoding> = {
  gb18030: "gb18030",
  big5hkscs: "big5",
  cp932: "shift_jis",
  euc_jis_2004: "euc-jp",
  iso2022_jp_2: "iso-2022-jp",
  cp949: "euc-kr",
  "koi8-r": "koi8-r",
  "koi8-u": "koi8-u",
  cp866: "ibm866",
  "mac-cyrillic": "x-mac-cyrillic",
  "mac-roman": "macintosh",
  cp874: "windows-874",
  cp1250: "windows-1250",
  cp1251: "windows-1251",
  cp1252: "windows-1252",
  cp1253: "windows-1253",
  cp1254: "windows-1254",
  cp1255: "windows-1255",
  cp1256: "windows-1256",
  cp1257: "windows-1257",
  cp1258: "windows-1258",
  "iso8859-2": "iso-8859-2",
  "iso8859-5": "iso-8859-5",
  "iso8859-6": "iso-8859-6",
  "iso8859-7": "iso-8859-7",
  "iso8859-8": "iso-8859-8",
  "iso8859-13": "iso-8859-13",
  "iso8859-15": "iso-8859-15",
};

const USUAL = "windows-1252";

/** One to three isolated letters outside ASCII are too few to reveal the language. */
const SINGLE_LETTERS = /^(?:\p{ASCII}*(?![\u0080-\u009f])\P{ASCII}(?!\P{ASCII})){1,3}\p{ASCII}+$/u;

/**
 * Returns the most likely encoding of lines that are not UTF-8: the detector's first guess in which they are text. The
 * detector is loaded here because its model takes 75 MB and half a second, which a process without such files need not
 * spend.
 */
async function guessEncoding(lines: Uint8Array): Promise<Encoding> {
  const usual = new TextDecoder(USUAL).decode(lines);
  if (SINGLE_LETTERS.test(usual)) return USUAL;
  const { chardet } = await import("jschardet");
  const found = chardet.detectAll(lines, { includeEncodings: Object.keys(CALLED), compatNames: false });
  for (const { encoding } of found) {
    const name = CALLED[encoding ?? ""];
    const text = name && textIn(lines, name);
    if (name && text !== undefined) return text === usual ? USUAL : name;
  }
  return USUAL;
}

/** Returns undefined if bytes are invalid in the encoding, are C1 controls, or often mix alphabets in words ("Zoλ"). */
function textIn(lines: Uint8Array, encoding: Encoding): string | undefined {
  const text = decoded(lines, encoding);
  if (text === undefined || /[\u0080-\u009f]/.test(text)) return undefined;
  const mixed = text.match(MIXED)?.length ?? 0;
  return mixed * 10 > (text.match(OF_ANOTHER_ALPHABET)?.length ?? 0) ? undefined : text;
}

const OTHER = String.raw`[\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Thai}]`;
const OF_ANOTHER_ALPHABET = new RegExp(OTHER, "gu");
const MIXED = new RegExp(`[a-z]${OTHER}|${OTHER}[a-z]`, "giu");

function decoded(lines: Uint8Array, encoding: Encoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(lines);
  } catch {
    return undefined;
  }
}
