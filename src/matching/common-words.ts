import type { Around } from "./name-differences.ts";
import type { Prepared } from "./prepare.ts";
import { dice, editSimilarity } from "./text/similarity.ts";
import { MOST_DIFFERENCE } from "./text/spelling.ts";
import type { Word } from "./text/word.ts";

/** What the candidates as a whole tell about a word. */
export interface Neighbourhood extends Around {
  /** How common a word is in the candidates' names: 0 (in at most one) to about 1 (in all). */
  commonness: (word: string) => number;
}

/** For two records compared without other candidates. */
export const NO_NEIGHBOURS: Neighbourhood = {
  commonness: () => 0,
  isNearby: () => false,
  endsNames: () => false,
  isName: () => false,
};

/** What two names have in common, word by word. */
export interface Common {
  /** The words are the same. */
  same: boolean;
  /** For each word of the first name, the similarity of its counterpart in the second one; `right`: the reverse. */
  left: number[];
  right: number[];
  contained: number;
  shared: number;
  telling: number;
  /** Hardly a word is the same, because of word breaks and slips of a key. */
  isRunTogether: boolean;
}

export function commonOf(a: Prepared, b: Prepared, { commonness }: Neighbourhood): Common {
  const same = a.joined !== "" && haveSameWords(a, b);
  const [left, right] = [counterparts(a, b, same), counterparts(b, a, same)];
  const [there, back] = [weigh(a, b, left, commonness), weigh(b, a, right, commonness)];
  const telling = Math.min(3, same ? Math.max(there.telling, 0.5) : there.telling);
  const [contained, shared] = [Math.max(there.share, back.share), Math.min(there.share, back.share)];
  const isRunTogether = contained < HARDLY_ALIKE && areRunTogether(a, b);
  return { same, left, right, contained, shared, telling, isRunTogether };
}

/** Whether names count as different (`otherWord`) without a closer look. */
export const areHardlyAlike = ({ same, contained, isRunTogether }: Common): boolean =>
  !same && contained < HARDLY_ALIKE && !isRunTogether;
const HARDLY_ALIKE = 0.25;

/** Whether two names are one but for slips of a key and word breaks: "Hillteopinn", "Hilltop Inn". */
const areRunTogether = (a: Named, b: Named): boolean =>
  a.words.length !== b.words.length &&
  Math.min(a.joined.length, b.joined.length) >= LEAST_JOINED &&
  Math.abs(a.joined.length - b.joined.length) <= MOST_DIFFERENCE &&
  editSimilarity(a.joined, b.joined) >= RUN_TOGETHER;

/** Letters of the shorter name, and the similarity, of names that are hardly two by chance. */
const [LEAST_JOINED, RUN_TOGETHER] = [8, 0.85];

/** Whether two names are the same except for word breaks, or except for word order. */
export const haveSameWords = (a: Named, b: Named): boolean =>
  a.joined === b.joined || (a.joined.length === b.joined.length && inOrder(a.words) === inOrder(b.words));

type Named = Pick<Prepared, "words" | "joined">;

const inOrder = (words: Word[]): string =>
  words
    .map(({ text }) => text)
    .sort()
    .join("");

export const hasWord = ({ words }: Named, word: string): boolean => words.some(({ text }) => text === word);

/** Returns, for each word of `from`, the similarity of its best counterpart in `to`; 0 if that is below LIKE. */
function counterparts(from: Prepared, to: Prepared, same: boolean): number[] {
  return from.words.map((word) => {
    if (same || hasWord(to, word.text)) return 1;
    if (word.text.length < 3 || word.isFiller) return 0;
    if (word.text.length >= LONG_ENOUGH && to.joined.includes(word.text)) return WITHIN;
    let best = 0;
    for (const other of to.words)
      if (other.text.length >= 3 && Math.abs(other.text.length - word.text.length) <= 3)
        best = Math.max(best, wordLikeness(word, other));
    return best >= LIKE ? best : 0;
  });
}

/** From here on a word has a counterpart. */
export const LIKE = 0.6;

/** Similarity of a word found inside or across words: "beauty" in "thebeautyworks". Shorter ones occur by chance. */
const WITHIN = 0.95;
const LONG_ENOUGH = 4;

function wordLikeness(a: Word, b: Word): number {
  const likeness = dice(a.trigrams, b.trigrams);
  const mayBeMisspelt = likeness > 0.3 || a.text[0] === b.text[0];
  return mayBeMisspelt ? Math.max(likeness, 0.95 * editSimilarity(a.text, b.text)) : likeness;
}

/** Returns the weighted share of words that were `met`, and how distinctive these are. Rare words weigh more. */
function weigh(from: Prepared, to: Prepared, met: number[], commonness: Neighbourhood["commonness"]) {
  if (!met.some((likeness) => likeness > 0)) return NOTHING_MET;
  let [all, found, telling] = [0, 0, 0];
  from.words.forEach((word, at) => {
    const likeness = met[at] as number;
    const rarity = word.isFiller ? 0 : 1 - commonness(word.text);
    const isWhere = from.whereabouts.includes(word.text) || to.whereabouts.includes(word.text);
    const ofKind = word.kinds === 0 ? 1 : 0.4;
    const lacked = isWhere && likeness < LIKE ? 0.4 : 1;
    const weight = word.isFiller ? 0.05 : ofKind * (0.25 + 0.75 * rarity) * lacked;
    all += weight;
    found += weight * likeness;
    const much = (word.kinds === 0 ? 1 : 0.3) * (isWhere ? 0.4 : 1) * Math.min(1, word.text.length / 5);
    telling += likeness * rarity * much;
  });
  return { share: all > 0 ? found / all : 0, telling };
}

const NOTHING_MET = { share: 0, telling: 0 };
