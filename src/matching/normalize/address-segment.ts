import labels from "./address-labels.json" with { type: "json" };
import { isNumbered, isStreetType, unifyWord } from "./street-words.ts";

/** A range of house numbers; `from` equals `to` for a single one. */
export interface NumberRange {
  from: number;
  to: number;
  /** Of a single one: the "a" of 17a. */
  letter?: string;
  /** What stands behind a single one that is no range. In "3-120", 3 may be the unit and 120 the house. */
  behind?: number;
  /** Two numbers with a slash between them, which Australia writes for unit and house: "108/122". */
  isSlashed?: true;
}

/** What was found in an address so far, except the street. */
export interface Found {
  numbers: NumberRange[];
  isUnsure: boolean;
  /** A block of flats. In Singapore, its number is the house number. */
  block?: NumberRange;
  unit?: string;
  level?: string;
  box?: string;
  postal?: string;
}

/** The words of a segment. `rank`: how likely it is the street, 2 with a house number, 1 with a street type, or 0. */
export interface Segment {
  words: string[];
  rank: number;
}

/**
 * Reads the folded words between two commas. Adds what is not the street to `found`.
 *
 * @param soFar rank of the best segment before this one; -1 if there is none
 */
export function readSegment(tokens: string[], found: Found, soFar: number): Segment {
  const hadNumber = found.numbers.length > 0 && !found.isUnsure;
  const words = takePostal(takeLabelled(tokens, found), found, soFar);
  const street = streetOf(words);
  const rank = (found.numbers.length > 0 && !found.isUnsure) !== hadNumber ? 2 : Number(street.some(isStreetType));
  if (hadNumber || rank === 2) return { words: street, rank };
  const numbers = words.map(parseNumber);
  const known = numbers.filter((number) => number !== undefined);
  if (known.length === words.length) {
    if (known.length > 0) setNumbers(found, known.slice(0, AT_MOST)); // "Street, 17"; "Street, 3 & 5"
    return { words: [], rank: 0 };
  }
  const [first] = numbers;
  if (first) {
    setNumbers(found, [first]);
    return { words: streetOf(words.slice(1)), rank: 2 };
  }
  return readBehind(words, numbers, found) ?? { words: street, rank };
}

/** Reads numbers after words: "Hauptstraße 17", "Olmos 425 Col Hidalgo", "Rekikuja 3 C 25", "Tampines Avenue 8". */
function readBehind(words: string[], numbers: (NumberRange | undefined)[], found: Found): Segment | undefined {
  const isName = (at: number) =>
    isNumbered(unifyWord(words[at - 1] ?? ""), words.length === 2) && /^\d+$/.test(words[at] ?? "");
  const houses = numbers.filter((number, at) => number !== undefined && !isName(at)) as NumberRange[];
  const last = numbers.at(-1);
  if (last && houses.length === 1 && houses[0] === last) {
    setNumbers(found, [last]);
    return { words: streetOf(words.slice(0, -1)), rank: 2 };
  }
  const maybe = houses.length > 0 ? houses : [last].filter((number) => number !== undefined);
  if (maybe.length > 0) setNumbers(found, maybe.slice(0, AT_MOST), true);
  return undefined;
}

/** Limit on house numbers, because matching two addresses compares every pair. */
const AT_MOST = 8;

function setNumbers(found: Found, numbers: NumberRange[], isUnsure = false): void {
  found.numbers = numbers;
  found.isUnsure = isUnsure;
}

/** Parses 17, 17a, 17-19, 101-102-103. "19-3" and "3-120" are no ranges. */
function parseNumber(word: string): NumberRange | undefined {
  if (!startsWithDigit(word)) return undefined;
  const [, from, letter, to] = /^(\d{1,5})[-/]?([a-z])?(?:[-/](?:\d{1,5}[-/])*(\d{1,5})[a-z]?)?$/.exec(word) ?? [];
  if (from === undefined) return undefined;
  const first = Number(from);
  if (to === undefined) return { from: first, to: first, ...(letter && { letter }) };
  const last = Number(to);
  const slashed = word.includes("/") && ({ isSlashed: true } as const);
  if (last >= first && last - first <= WIDEST_RANGE) return { from: first, to: last, ...slashed };
  return { from: first, to: first, behind: last, ...slashed };
}

/** Buildings seldom have more numbers: beyond, the first is a unit or a block. */
const WIDEST_RANGE = 60;

const startsWithDigit = (word: string): boolean => word >= "0" && word < ":";

/** Words that label the number after them, and its meaning. */
export const LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries(labels).flatMap(([label, words]) => words.map((word): [string, string] => [word, label])),
);

/** Moves numbers with a label before them (or, for floors, after them) to `found`, and returns the other words. */
function takeLabelled(tokens: string[], found: Found): string[] {
  const rest: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? "";
    const next = tokens[at + 1] ?? "";
    const label = LABELS.get(token);
    const valueAt = label !== "number" && LABELS.get(next) === "number" ? at + 2 : at + 1; // Shop No. 5
    const value = tokens[valueAt] ?? "";
    const floor = token.endsWith("/f") || LABELS.get(next) === "level" ? FLOOR.exec(token)?.[1] : undefined;
    const [, storey, shop] = (token.startsWith("0") && LEVEL_AND_SHOP.exec(token)) || [];
    if (token.startsWith("#")) found.unit ??= withoutZeros(token.slice(1));
    else if (storey && shop) {
      found.level ??= storey;
      found.unit ??= withoutZeros(shop);
    } else if (label && VALUE.test(value)) {
      at = valueAt;
      const end = label === "unit" && at + 1 < tokens.length ? value.search(/[/-]\d/) : -1; // unit 5/17 High Street
      take(label, end < 0 ? value : value.slice(0, end), found);
      if (end > 0) rest.push(value.slice(end + 1));
    } else if (floor) {
      if (!token.endsWith("/f")) at++;
      found.level ??= withoutZeros(floor);
    } else rest.push(token);
  }
  return rest;
}

const FLOOR = /^(\d{1,3}|ground|g|lg|ug|b\d?)(?:st|nd|rd|th|o|a|e|er|eme|\/f)?$/;
/** "01-30/31": no house number begins with 0. */
const LEVEL_AND_SHOP = /^0(\d)-(\d{2,3})(?:[-/&]\d+)*$/;
const VALUE = /^(?:#?[a-z]?\d[\w/-]*|[a-z])$/;

function take(label: string, value: string, found: Found): void {
  const number = parseNumber(value);
  if (label === "unit" || label === "level") found[label] ??= withoutZeros(value.replace("#", ""));
  else if (label === "block" && number) found.block ??= number;
  else if (label === "number" && number && (found.numbers.length === 0 || found.isUnsure)) setNumbers(found, [number]);
}

export const withoutZeros = (text: string): string => text.replace(/^0+(?=.)/, "");

/** Moves the postal code to `found`: 5 or 6 digits at the end, with a state before them, or 4 to 6 before a town. */
function takePostal(words: string[], found: Found, soFar: number): string[] {
  const isLater = soFar >= 0;
  const last = words.at(-1) ?? "";
  if (startsWithDigit(last) && (isLater || words.length > 2) && /^(?:\d{5,6}|\d{5}-\d{3,4})$/.test(last)) {
    found.postal ??= last.replace(/(?<=^\d{5})-\d{4}$/, "");
    const state = words.at(-2) ?? "";
    return words.slice(0, /^[a-z]{2}$/.test(state) && !isStreetType(unifyWord(state)) ? -2 : -1);
  }
  const isTown = isLater && words.length > 1 && startsWithDigit(words[0] ?? "") && /^\d{4,6}$/.test(words[0] ?? "");
  if (!isTown || words.some((word) => isStreetType(unifyWord(word)))) return words;
  found.postal ??= words[0] ?? "";
  return words.slice(1);
}

/** Unifies the words of a street, and removes those that people often omit, such as "de". */
function streetOf(words: string[]): string[] {
  const street: string[] = [];
  for (const word of words) {
    if (!word.includes("-")) street.push(unifyWord(word));
    else for (const part of word.split("-")) street.push(unifyWord(part));
  }
  return street.some((word) => FILLERS.has(word)) ? withoutFillers(street) : street;
}

function withoutFillers(street: string[]): string[] {
  const telling = street.filter((word) => !FILLERS.has(word));
  return telling.length > 0 ? telling : street;
}

const FILLERS = new Set("de del d da do dos das des du of the bis ter".split(" "));
