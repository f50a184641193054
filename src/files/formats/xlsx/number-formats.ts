import { plainNumber, roundedText } from "../base/numbers.ts";

/** Makes the text of a number as a cell shows it, if more than its value counts: a date, `25%`, or digits such as `02857`. */
export type NumberFormat = (value: number) => string | undefined;

/** Built-in formats that are dates or times (ECMA-376 part 1, 18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);

/** `code` is a custom format; `is1904`: days count from 1904. */
export function numberFormat(id: number, code: string | undefined, is1904: boolean): NumberFormat | undefined {
  if (code === undefined && isBuiltInDate(id)) return (value) => isoDate(value, is1904);
  const pattern = code ?? BUILT_IN.get(id);
  if (pattern === undefined) return undefined;
  if (isPercentCode(pattern)) return (value) => `${plainNumber(value * 100)}%`;
  if (isDateCode(pattern)) return (value) => isoDate(value, is1904);
  return exponent(pattern) ?? digits(pattern);
}

const BUILT_IN = new Map([
  [9, "0%"],
  [10, "0.00%"],
  [11, "0.00E+00"],
  [48, "##0.0E+0"],
]);

/** Without the characters that are shown as they are. */
const signsOf = (code: string): string =>
  code.replace(/\\.|"[^"]*"|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|General|E[+-]/gi, "");

const isPercentCode = (code: string): boolean => /[0#?]%/.test(signsOf(code));
const isDateCode = (code: string): boolean => /[ymdhs]/i.test(signsOf(code));

const DAY_MS = 24 * 3600 * 1000;

/** Returns an ISO 8601 date, time or both. Excel counts 29 February 1900, which never was, as day 60. */
function isoDate(value: number, is1904: boolean): string | undefined {
  if (value < 0 || value >= 2_958_466) return undefined;
  const days = is1904 ? value + 1462 : value >= 60 ? value : value + 1;
  const iso = new Date(Math.round((days - 25_569) * 86_400) * 1000).toISOString();
  const [date = "", time = ""] = iso.slice(0, 19).split("T");
  if (value < 1 && !is1904) return value === 0 ? "00:00:00" : time;
  return time === "00:00:00" && Math.abs(value - Math.round(value)) < 1000 / DAY_MS ? date : `${date}T${time}`;
}

/** Leaves the digits out only if the cell has no more of them than it shows: they were lost before, as those of 1.23E+10. */
function exponent(code: string): NumberFormat | undefined {
  const [isExponent, places = ""] = /^[0#]+(?:\.(0+))?E\+0+$/.exec(code) ?? [];
  const hasNoMore = (value: number) => value >= 1e6 && Number(value.toExponential(places.length)) === value;
  return isExponent ? (value) => (hasNoMore(value) ? roundedText(value) : undefined) : undefined;
}

/** Formats of zeros, number signs and plain characters: postal codes, telephone numbers and the like. */
function digits(code: string): NumberFormat | undefined {
  const sections = code.split(";");
  const [, limit] = /^\[<=(\d+)\]/.exec(sections[0] ?? "") ?? [];
  const patterns = sections.map((section) => patternOf(section.replace(/^\[[^\]]*\]/, "")));
  const [first, second] = patterns;
  if (!first && !(limit && second)) return undefined;
  return (value) => {
    if (!Number.isInteger(value) || value < 0 || !Number.isSafeInteger(value)) return undefined;
    const pattern = limit && value > Number(limit) ? second : first;
    return pattern && filled(pattern, String(value));
  };
}

/** Returns the characters of a section, `0` and `#` for digits; undefined if it is no such format. */
function patternOf(section: string): string[] | undefined {
  const parts = section.match(/\\.|"[^"]*"|_.|[0#]|[\s\S]/g) ?? [];
  const pattern: string[] = [];
  for (const part of parts) {
    if (/^[0#]$/.test(part)) pattern.push(part);
    else if (part.startsWith("\\")) pattern.push(`\\${part.slice(1)}`);
    else if (part.startsWith('"')) pattern.push(...[...part.slice(1, -1)].map((each) => `\\${each}`));
    else if (/^[-() /]$/.test(part)) pattern.push(`\\${part}`);
    else if (!part.startsWith("_")) return undefined;
  }
  const places = pattern.filter((each) => each.length === 1);
  const hasZeros = places.filter((each) => each === "0").length > 1;
  return places.length > 0 && (hasZeros || places.length < pattern.length) ? pattern : undefined;
}

/** Fills in digits from the right. Those that have no place go before the first one. */
function filled(pattern: string[], value: string): string {
  let left = value;
  const first = pattern.findIndex((each) => each.length === 1);
  const shown = pattern.map((each) => each);
  for (let at = pattern.length - 1; at >= 0; at -= 1) {
    const each = pattern[at] ?? "";
    if (each.startsWith("\\")) shown[at] = each.slice(1);
    else {
      shown[at] = at === first ? left || (each === "0" ? "0" : "") : left.slice(-1) || (each === "0" ? "0" : "");
      left = left.slice(0, -1);
    }
  }
  return shown.join("");
}
