import type { Encoding } from "../../shared/csv/text.ts";

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
export async function guessEncoding(lines: Uint8Array): Promise<Encoding> {
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
