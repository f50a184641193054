import { normalizeName } from "../../matching/normalize/normalize.ts";
import { countryCode, stateCodes } from "../../matching/normalize/regions.ts";
import { isStreetType, unifyWord } from "../../matching/normalize/street-words.ts";

export interface Said {
  words: string[];
  /** Indexes of the first word and of words after a comma. */
  starts: number[];
}

/** The words from `from` up to, but excluding, `to`. */
export interface Span {
  from: number;
  to: number;
}

/** Limits above the longest names and queries. */
const LONGEST_NAME = 6;
const MOST_WORDS = 16;

/** Keeps the end of a long text, where the place usually is. */
export function readWords(near: string): Said {
  const parts = near
    .replace(/(?<!\p{L})(\p{L})\.(?=\p{L}\.)/gu, "$1") // R.I. is one word
    .replace(/(?<![\d.])(\d{3,8})\.0+(?![\d.])/g, "$1") // a postal code that was a number
    .split(/[,;\n，、،]/)
    .map((part) => normalizeName(part).split(" ").filter(Boolean));
  const words = parts.flat();
  const cut = Math.max(0, words.length - MOST_WORDS);
  const starts = parts.map((_part, index) => parts.slice(0, index).flat().length - cut);
  return { words: words.slice(cut), starts: [...new Set(starts.map((start) => Math.max(0, start)))] };
}

export const spanText = ({ words }: Said, { from, to }: Span): string => words.slice(from, to).join(" ");

/** A name starts a part, or follows its postal code ("75001 Paris"). */
export function nameSpans({ words, starts }: Said): Span[] {
  const begins = starts.flatMap((start) => (isCode(words[start]) ? [start, start + 1] : [start]));
  return begins.flatMap((from) => upTo(LONGEST_NAME, from, words.length));
}

/** Names at the end of a part, before its state and the like, where others begin it: "lowport" in "14 Mill St Lowport, ME". */
export function lastNames({ words, starts }: Said): Span[] {
  return starts.flatMap((start, index) => {
    const part = words.slice(start, starts[index + 1]);
    const to = start + beforeRegions(part);
    const spans = Array.from({ length: Math.min(LONGEST_NAME, to - start - 1) }, (_, at) => ({
      from: to - at - 1,
      to,
    }));
    return spans.filter(({ from, to }) => words.slice(0, from).some(isCode) && !words.slice(from, to).some(isOfStreet));
  });
}

const isOfStreet = (word: string): boolean => isCode(word) || isStreetType(unifyWord(word));

/** A postal code has one or two words ("SW1A 1AA"). */
export const codeSpans = (said: Said): Span[] =>
  said.words.flatMap((_, from) => upTo(2, from, said.words.length)).filter((span) => isCode(spanText(said, span)));

const upTo = (most: number, from: number, end: number): Span[] =>
  Array.from({ length: Math.min(most, end - from) }, (_, index) => ({ from, to: from + index + 1 }));

export const isCode = (word = ""): boolean => /\d/.test(word);

/** Returns the words that may be a misspelt town: the last part between commas, up to its state, country or postal code. */
export function unknownName({ words, starts }: Said): Span | undefined {
  const to = beforeRegions(words);
  const from = starts.findLast((start) => start < to);
  return from === undefined ? undefined : { from, to };
}

export function beforeRegions(words: string[]): number {
  const last = [4, 3, 2, 1].find((count) => count <= words.length && isRegion(words.slice(-count).join(" ")));
  return last ? beforeRegions(words.slice(0, -last)) : words.length;
}

const isRegion = (words: string): boolean =>
  stateCodes(words).length > 0 || countryCode(words) !== undefined || (isCode(words) && !words.includes(" "));
