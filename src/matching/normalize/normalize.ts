import { plainDigits, streamSafe } from "../../contract/text.ts";
import { isAscii, repairText } from "./repair.ts";

/**
 * The version of `normalizeName` and `phoneKey`. Increase it when their results change: the database stores them for
 * each venue, and venues of an older version are updated after the start.
 */
export const NORMALIZATION = 4;

/**
 * Normalizes a name for comparison and for the index (`venue.name_norm`): repaired, lower case, without accents and
 * punctuation, one space between words. Letters of other scripts stay as they are, but katakana becomes hiragana, and
 * optional signs of Arabic and Hebrew are removed. "Dunkin' Donuts & Co." becomes "dunkin donuts and co".
 */
export function normalizeName(name: string): string {
  let text = foldText(name).replaceAll("\ufffd", "");
  if (text.includes(".")) text = text.replace(INITIALS, (initials) => `${initials.replaceAll(".", "")} `);
  if (text.includes("(")) text = text.replace(/(?<=\w)\((?:tm|r)\)/g, " ");
  // "Fish 'n' Chips" is "fish and chips", but "dunkin'" is "dunkin", and "o'brien" is "obrien".
  if (text.includes("'")) text = text.replace(/'n'|(?<=\s)(?:n'|'n)(?=\s)/g, " and ").replaceAll("'", "");
  return text
    .replace(/&|(?<=\s)\+(?=\s)/g, " and ")
    .replace(NOT_A_WORD, " ")
    .trim();
}

/** Initials with full stops become one word: "J.P. Morgan" is "jp morgan". */
const INITIALS = /(?<![\p{L}\p{N}])(?:\p{L}\.){2,}(?:\p{L}(?![\p{L}\p{N}]))?/gu;

const NOT_A_WORD = /[^\p{L}\p{N}\p{M}]+/gu;

/**
 * Folds any text for comparison: repaired, lower case, without accents; "ß" and "œ" spelled out, full-width and
 * half-width forms as the usual ones, digits of common scripts as ASCII, quotes as `'`, hyphens and dashes as `-`.
 * Other punctuation stays.
 */
export function foldText(text: string): string {
  const plain = repairText(isAscii(text) ? text : streamSafe(text).normalize("NFC"));
  if (isAscii(plain)) return plain.toLowerCase().replaceAll("`", "'");
  return streamSafe(plain)
    .replace(UNSEEN, "")
    .replace(/[´№]/g, (sign) => (sign === "№" ? "no " : "'"))
    .normalize("NFKD")
    .replace(UNSEEN, "") // compatibility forms may decompose into some
    .replace(ACCENTS, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(VARIANTS, plainForm)
    .replace(/(?<=[א-ת])"(?=[א-ת])/g, "");
}

/** Invisible characters, signs such as "™", and the Arabic kashida (U+0640). */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}™℠®©\u0640]/gu;

/** Accents, and the points of Hebrew and Arabic. Combining marks of other scripts are part of the letters. */
const ACCENTS = new RegExp(
  `[${[
    "\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f",
    "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7",
    "\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed",
  ].join("")}]`,
  "g",
);

const SPELLED_OUT: Record<string, string> = {
  ...{ ß: "ss", œ: "oe", æ: "ae", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ħ: "h", ı: "i" },
  ...{ ς: "σ", ى: "ي", ی: "ي", ة: "ه", ک: "ك", "״": '"' },
};

const QUOTES = "’‘`ʼʻʹ′׳";
const DASHES = "‐‑‒–—―−";
const VARIANTS = new RegExp(`[${Object.keys(SPELLED_OUT).join("")}${QUOTES}${DASHES}ァ-ヶヽヾ٠-٩۰-۹०-९০-৯๐-๙]`, "g");

function plainForm(char: string): string {
  const spelled = SPELLED_OUT[char];
  if (spelled) return spelled;
  if (QUOTES.includes(char)) return "'";
  if (DASHES.includes(char)) return "-";
  const code = char.charCodeAt(0);
  if (code >= 0x30a1) return String.fromCharCode(code - 0x60); // katakana to hiragana
  return plainDigits(char);
}
