import { normalizeName } from "./normalize/normalize.ts";
import type { Spot } from "./prepare.ts";

/** What a decoder puts in place of invalid bytes. */
const LOST = "\ufffd";

/** A word with more gaps is not restored. */
const MOST_GAPS = 10;

/**
 * Restores words with U+FFFD in the listing's name if exactly one word of the candidates' names fits: with a candidate
 * "München", "M\ufffdnchen" becomes "munchen". If none or several fit, the word stays, and normalization drops U+FFFD.
 */
export function withLostFilled<S extends { name?: string | undefined }>(listing: S, candidates: readonly Spot[]): S {
  if (!listing.name?.includes(LOST)) return listing;
  const words = new Set(candidates.flatMap(({ name, nameNorm }) => (nameNorm ?? normalizeName(name)).split(" ")));
  const name = listing.name.replace(BROKEN_WORD, (broken) => {
    const pieces = broken.split(/\ufffd+/).map(normalizeName);
    const gaps = (broken.match(/\ufffd+/g) ?? []).map((gap) => gap.length);
    const [known, lost] = [pieces.join("").length, sum(gaps)];
    if (known < 2 || known < lost || gaps.length > MOST_GAPS) return broken;
    const fitting = [...words].filter((word) => fits(word, pieces, gaps));
    return fitting.length === 1 ? (fitting[0] ?? broken) : broken;
  });
  return { ...listing, name, nameNorm: undefined };
}

const BROKEN_WORD = /(?<![\p{L}\p{N}\p{M}\ufffd])[\p{L}\p{N}\p{M}]*\ufffd[\p{L}\p{N}\p{M}\ufffd]*/gu;

/** A gap of n U+FFFD fits 1 to 2n letters: a lost character may leave one for each of its bytes, and "ß" is "ss". */
function fits(word: string, [first = "", ...rest]: string[], gaps: number[]): boolean {
  let ends = new Set(word.startsWith(first) ? [first.length] : []);
  for (const [at, piece] of rest.entries()) {
    const next = new Set<number>();
    for (const end of ends)
      for (let gap = 1; gap <= 2 * (gaps[at] ?? 0) && end + gap <= word.length; gap += 1)
        if (word.startsWith(piece, end + gap)) next.add(end + gap + piece.length);
    ends = next;
  }
  return ends.has(word.length);
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
