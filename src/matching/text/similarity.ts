/** Splits a normalized text into words. */
export const words = (normalized: string): string[] => (normalized === "" ? [] : normalized.split(" "));

/**
 * Returns the trigrams of a normalized text as sorted numbers, with repetitions. As in pg_trgm, each word is padded with
 * two spaces before and one after.
 */
export function allTrigramsOf(normalized: string): number[] {
  const count = readTrigrams(normalized);
  room.subarray(0, count).sort();
  const found: number[] = [];
  for (let at = 0; at < count; at++) found.push(room[at] as number);
  return found;
}

/** Returns the Dice coefficient of all trigrams of a normalized text and `others`, without what `allTrigramsOf` costs. */
export function diceOfText(normalized: string, others: readonly number[], set: ReadonlySet<number>): number {
  const count = readTrigrams(normalized);
  let common = 0;
  for (let at = 0; at < count; at++) if (set.has(room[at] as number)) common++;
  return (2 * common) / (count + others.length);
}

/** Writes them to `room`, unsorted, and returns how many. */
function readTrigrams(normalized: string): number {
  if (normalized.length >= room.length) room = new Float64Array(2 * normalized.length);
  let [count, a, b] = [0, BLANK, BLANK];
  for (let at = 0; at < normalized.length; at++) {
    const c = normalized.charCodeAt(at);
    room[count++] = numberOf(a, b, c);
    a = c === BLANK ? BLANK : b;
    b = c;
  }
  if (b !== BLANK) room[count++] = numberOf(a, b, BLANK);
  return count;
}

/** A typed array sorts three times as fast; it is reused because allocating one takes as long as sorting. */
let room = new Float64Array(256);

/** Returns the trigrams of a normalized text as sorted numbers, without repetitions. */
export const trigramsOf = (normalized: string): number[] => withoutRepetitions(allTrigramsOf(normalized));

export const withoutRepetitions = (sorted: number[]): number[] =>
  sorted.filter((number, at) => at === 0 || number !== sorted[at - 1]);

/** Counts the sorted `numbers` that are among `some`, which are sorted too. Repetitions in `numbers` count. */
export function countAmong(numbers: readonly number[], some: readonly number[]): number {
  let [at, other, count] = [0, 0, 0];
  while (at < numbers.length && other < some.length) {
    const difference = (numbers[at] as number) - (some[other] as number);
    if (difference === 0) count++;
    if (difference <= 0) at++;
    else other++;
  }
  return count;
}

/** Returns a distinct number for each trigram, a small one for ASCII, because V8 allocates large ones on the heap. */
const numberOf = (a: number, b: number, c: number): number =>
  (a | b | c) < 128 ? (a << 14) | (b << 7) | c : (a * 65_536 + b) * 65_536 + c;

const BLANK = 32;

/** Returns the Dice coefficient of two results of `trigramsOf`: 0 (nothing in common) to 1 (the same). */
export function dice(left: readonly number[], right: readonly number[]): number {
  let [at, other, common] = [0, 0, 0];
  while (at < left.length && other < right.length) {
    const difference = (left[at] as number) - (right[other] as number);
    if (difference === 0) common++;
    if (difference <= 0) at++;
    if (difference >= 0) other++;
  }
  return left.length + right.length === 0 ? 0 : (2 * common) / (left.length + right.length);
}

/** Returns the Dice coefficient of two normalized texts' trigrams: 0 (nothing in common) to 1 (the same words). */
export const trigramSimilarity = (a: string, b: string): number => dice(trigramsOf(a), trigramsOf(b));

/** UTF-16 units of a text that are compared, so that no name takes long. */
const LONGEST = 100;
const previous = new Uint16Array(LONGEST + 1);

/** Returns 1 minus the Levenshtein distance as a share of the longer text: 1 (the same) to 0 (nothing in common). */
export function editSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  const [rows, columns] = [Math.min(a.length, LONGEST), Math.min(b.length, LONGEST)];
  if (rows === 0 || columns === 0) return 0;
  for (let column = 0; column <= columns; column++) previous[column] = column;
  for (let row = 1; row <= rows; row++) {
    const letter = a.charCodeAt(row - 1);
    let diagonal = row - 1;
    previous[0] = row;
    for (let column = 1; column <= columns; column++) {
      const above = previous[column] as number;
      const changed = diagonal + (letter === b.charCodeAt(column - 1) ? 0 : 1);
      const best = Math.min(changed, above + 1, (previous[column - 1] as number) + 1);
      diagonal = above;
      previous[column] = best;
    }
  }
  return 1 - (previous[columns] as number) / Math.max(rows, columns);
}
