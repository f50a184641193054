import { normalizeName } from "../../matching/normalize/normalize.ts";
import { countryCode, stateCodes } from "./regions.ts";

/** The words of a `near` as they are compared. */
export interface Said {
  words: string[];
  /** Indexes of the words that begin a part: the first, and those behind a comma. */
  starts: number[];
}

/** Part of what was said: the words from `from` up to, not including, `to`. */
export interface Span {
  from: number;
  to: number;
}

/** No place has a longer name, and nobody says more about it. */
const LONGEST_NAME = 6;
const MOST_WORDS = 16;

/** "Federal Hill, R.I. 02903" as words. Of a long text the end counts: that is where the place stands. */
export function readWords(near: string): Said {
  const parts = near
    .replace(/(?<!\p{L})(\p{L})\.(?=\p{L}\.)/gu, "$1") // R.I. is one word
    .split(/[,;\n，、،]/)
    .map((part) => normalizeName(part).split(" ").filter(Boolean));
  const words = parts.flat();
  const cut = Math.max(0, words.length - MOST_WORDS);
  const starts = parts.map((_part, index) => parts.slice(0, index).flat().length - cut);
  return { words: words.slice(cut), starts: [...new Set(starts.map((start) => Math.max(0, start)))] };
}

export const wordsOf = ({ words }: Said, { from, to }: Span): string => words.slice(from, to).join(" ");

/** Where a name may stand: at the beginning of a part, also behind a postal code ("75001 Paris"). */
export function nameSpans({ words, starts }: Said): Span[] {
  const begins = starts.flatMap((start) => (isCode(words[start]) ? [start, start + 1] : [start]));
  return begins.flatMap((from) => upTo(LONGEST_NAME, from, words.length));
}

/** Where a postal code may stand: anywhere, as one word or two ("SW1A 1AA"). */
export const codeSpans = (said: Said): Span[] =>
  said.words.flatMap((_, from) => upTo(2, from, said.words.length)).filter((span) => isCode(wordsOf(said, span)));

const upTo = (most: number, from: number, end: number): Span[] =>
  Array.from({ length: Math.min(most, end - from) }, (_, index) => ({ from, to: from + index + 1 }));

/** Whether a word looks like a postal code, or like a part of one. */
export const isCode = (word = ""): boolean => /\d/.test(word);

/** The span of what may be a misspelt name: the last part, without the state, country and postal code at the end. */
export function unknownName({ words, starts }: Said): Span | undefined {
  const to = beforeRegions(words);
  const from = starts.findLast((start) => start < to);
  return from === undefined ? undefined : { from, to };
}

/** How many words stand before the states, countries and postal codes at the end. */
export function beforeRegions(words: string[]): number {
  const last = [4, 3, 2, 1].find((count) => count <= words.length && isRegion(words.slice(-count).join(" ")));
  return last ? beforeRegions(words.slice(0, -last)) : words.length;
}

const isRegion = (words: string): boolean =>
  stateCodes(words).length > 0 || countryCode(words) !== undefined || (isCode(words) && !words.includes(" "));
