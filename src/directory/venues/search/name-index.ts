import { LEAST_LIKENESS } from "../probe.ts";
import { turn } from "./turns.ts";

/** Finds the names of a list that are similar to another, by pg_trgm's similarity. */
export interface NameIndex {
  /** The number of the first name. */
  first: number;
  /** The number of distinct trigrams of each name. */
  sizes: Uint16Array;
  /** The names with trigram t are `postings` from `starts[t]` to `starts[t + 1]`. */
  starts: Uint32Array;
  postings: Uint32Array;
  /** The number of trigrams that each name has in common with the one sought. Zeros between searches. */
  common: Uint16Array;
}

/** Names that are indexed in one event loop turn. */
const AT_ONCE = 200;

/** A space, digits and letters; pg_trgm takes all other ASCII characters for spaces. */
const CHARACTERS = 37;
const TRIGRAMS = CHARACTERS ** 3;
const CODES = Uint8Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 36) + 1 || 0);
const BLANK = 0;

const isSeen = new Uint8Array(TRIGRAMS);

/**
 * Numbers the names from `first` on. Each is a text if that is ASCII, otherwise its trigrams as `show_trgm` returns them.
 */
export async function indexNames(
  names: readonly (string | string[])[],
  first: number,
  due: number,
): Promise<NameIndex> {
  const trigrams = new Uint16Array(names.reduce((sum, name) => sum + name.length + 1, 0));
  const sizes = new Uint16Array(names.length);
  const ends = new Uint32Array(names.length);
  const starts = new Uint32Array(TRIGRAMS + 1);
  let end = 0;
  for (const [at, name] of names.entries()) {
    if (at % AT_ONCE === 0) await turn(due);
    const begin = end;
    end = typeof name === "string" ? writeTrigrams(name, trigrams, begin) : writeShown(name, trigrams, begin);
    sizes[at] = typeof name === "string" ? end - begin : name.length;
    ends[at] = end;
    for (let each = begin; each < end; each++) add(starts, trigrams[each] as number, 1);
  }
  for (let each = 1; each <= TRIGRAMS; each++) add(starts, each, starts[each - 1] as number);
  const postings = new Uint32Array(end);
  for (let at = names.length - 1; at >= 0; at--) {
    if (at % AT_ONCE === 0) await turn(due);
    for (const begin = ends[at - 1] ?? 0; end > begin; end--)
      postings[add(starts, trigrams[end - 1] as number, -1)] = first + at;
  }
  return { first, sizes, starts, postings, common: new Uint16Array(names.length) };
}

/** Returns the distinct trigrams of an ASCII text as numbers below TRIGRAMS. */
export function trigramNumbers(text: string): Uint16Array {
  const all = new Uint16Array(text.length + 1);
  return all.subarray(0, writeTrigrams(text, all, 0));
}

/** Numbers from `from` up to but not including `to`. */
export interface Range {
  from: number;
  to: number;
}

/** Calls `take` with the number and the similarity of each name that `%` finds in the ranges, which ascend. */
export function eachAlike(
  { first, starts, postings, common, sizes }: NameIndex,
  sought: Uint16Array,
  ranges: readonly Range[],
  take: (at: number, likeness: number) => void,
): void {
  const least = Math.ceil(LEAST_LIKENESS * sought.length - 1e-6);
  const enough: number[] = [];
  for (const trigram of sought) {
    const end = starts[trigram + 1] as number;
    let each = starts[trigram] as number;
    for (const { from, to } of ranges) {
      each = firstFrom(postings, each, end, from);
      for (; each < end; each++) {
        const at = postings[each] as number;
        if (at >= to) break;
        const count = (common[at - first] as number) + 1;
        common[at - first] = count;
        if (count === least) enough.push(at);
      }
    }
  }
  for (const at of enough) {
    const count = common[at - first] as number;
    const likeness = Math.fround(count / (sought.length + (sizes[at - first] as number) - count));
    if (likeness >= LEAST_LIKENESS) take(at, likeness);
  }
  for (const { from, to } of ranges) common.fill(0, Math.max(0, from - first), Math.max(0, to - first));
}

/** Returns the place of the first number that is at least `least` in a sorted part of a list. */
export function firstFrom(sorted: ArrayLike<number>, begin: number, end: number, least: number): number {
  let [low, high] = [begin, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** As pg_trgm, pads each word with two spaces before and one after. Returns the end of what it wrote. */
function writeTrigrams(text: string, into: Uint16Array, begin: number): number {
  let [a, b, end] = [BLANK, BLANK, begin];
  for (let at = 0; at <= text.length; at++) {
    const c = at < text.length ? (CODES[text.charCodeAt(at)] ?? BLANK) : BLANK;
    if (c === BLANK && b === BLANK) continue;
    const trigram = (a * CHARACTERS + b) * CHARACTERS + c;
    a = c === BLANK ? BLANK : b;
    b = c;
    if (isSeen[trigram] === 1) continue;
    isSeen[trigram] = 1;
    into[end++] = trigram;
  }
  for (let each = begin; each < end; each++) isSeen[into[each] as number] = 0;
  return end;
}

/** Leaves out those with other than ASCII characters: an ASCII text has none of them. */
function writeShown(shown: readonly string[], into: Uint16Array, begin: number): number {
  let end = begin;
  for (const trigram of shown) {
    if (trigram.length !== 3) continue;
    into[end++] = [...trigram].reduce((number, char) => number * CHARACTERS + (CODES[char.charCodeAt(0)] ?? BLANK), 0);
  }
  return end;
}

function add(counts: Uint32Array, at: number, count: number): number {
  const sum = (counts[at] as number) + count;
  counts[at] = sum;
  return sum;
}
