/** A stretch of a text; `differs` where the other text has nothing like it. */
export interface Part {
  text: string;
  differs: boolean;
}

/** Beyond so many UTF-16 units or words nobody reads what differs, and comparing takes its time. */
const LONGEST = 400;
const MOST_WORDS = 80;

/**
 * Two texts, word by word: what is in the one and not, in the same order, in the other. Case, accents, punctuation and
 * blanks make no difference. The parts put together are the texts as they were; an overlong text differs as a whole.
 * @param wordOf what a word counts as, by its letters and digits in capitals without accents
 */
export function differences(a: string, b: string, wordOf = (key: string) => key): [Part[], Part[]] {
  if (a === b || (keyOf(a) !== "" && keyOf(a) === keyOf(b))) return [whole(a, false), whole(b, false)];
  if (a.length > LONGEST || b.length > LONGEST) return [whole(a, true), whole(b, true)];
  const [left, right] = [cut(a, wordOf), cut(b, wordOf)];
  const [inLeft, inRight] = inCommon(left.map(keyAt), right.map(keyAt));
  return [join(left, inLeft), join(right, inRight)];
}

export const whole = (text: string, differs: boolean): Part[] => (text ? [{ text, differs }] : []);

/** For addresses: a street's kind and its direction count as their short forms. */
export const streetWord = (key: string): string => STREET_WORDS.get(key) ?? key;

const STREET_WORDS = new Map(
  "STREET ST,AVENUE AVE,ROAD RD,DRIVE DR,BOULEVARD BLVD,LANE LN,PLACE PL,SQUARE SQ,NORTH N,SOUTH S,EAST E,WEST W"
    .split(",")
    .map((pair) => pair.split(" ") as [string, string]),
);

/** A word, or, with an empty key, what stands between two. */
interface Token {
  text: string;
  key: string;
}
const keyAt = ({ key }: Token) => key;

/** Chinese, Japanese and Thai have words without blanks between them. */
const words = new Intl.Segmenter("en", { granularity: "word" });

function cut(text: string, wordOf: (key: string) => string): Token[] {
  const tokens: Token[] = [];
  for (const { segment } of words.segment(text)) {
    const key = wordOf(keyOf(segment));
    const last = tokens.at(-1);
    if (key === "" && last?.key === "") last.text += segment;
    else tokens.push({ text: segment, key });
  }
  return tokens;
}

/** What of a text counts: its letters and digits, folded. */
function keyOf(text: string): string {
  return text
    .slice(0, 2 * LONGEST)
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "") // accents only: in other scripts combining signs are letters
    .toUpperCase() // makes SS of ß
    .replace(/[ØŁĐÆŒ&]/g, (letter) => SPELLED_OUT[letter] ?? letter)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "");
}

const SPELLED_OUT: Record<string, string> = { Ø: "O", Ł: "L", Đ: "D", Æ: "AE", Œ: "OE", "&": "AND" };

/** The indices of the longest common sequence of words in each of the two lists. */
function inCommon(a: string[], b: string[]): [Set<number>, Set<number>] {
  const [inA, inB] = [new Set<number>(), new Set<number>()];
  const [left, right] = [a, b].map((keys) => keys.flatMap((key, at) => (key ? [{ key, at }] : []))) as [Kept[], Kept[]];
  if (Math.max(left.length, right.length) > MOST_WORDS) return [inA, inB];
  const best = lengths(left, right);
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const [one, other] = [left[i], right[j]];
    if (one && other && one.key === other.key) {
      inA.add(one.at);
      inB.add(other.at);
      i++;
      j++;
    } else if (best(i + 1, j) >= best(i, j + 1)) i++;
    else j++;
  }
  return [inA, inB];
}

interface Kept {
  key: string;
  at: number;
}

/** How long the longest common sequence of what follows from i and j on is. */
function lengths(left: Kept[], right: Kept[]): (i: number, j: number) => number {
  const width = right.length + 1;
  const table = new Uint8Array((left.length + 1) * width);
  const at = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      table[i * width + j] =
        left[i]?.key === right[j]?.key ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return at;
}

/** What stands between two words that differ, differs with them. */
function join(tokens: Token[], common: Set<number>): Part[] {
  const isOdd = (at: number) => Boolean(tokens[at]?.key) && !common.has(at);
  const parts: Part[] = [];
  tokens.forEach(({ text, key }, at) => {
    const differs = key ? isOdd(at) : isOdd(at - 1) && isOdd(at + 1);
    const last = parts.at(-1);
    if (last?.differs === differs) last.text += text;
    else parts.push({ text, differs });
  });
  return parts;
}
