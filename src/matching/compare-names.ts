import { compareKinds, unmetKinds } from "./compare-kinds.ts";
import {
  differencesOf,
  type IsNearby,
  mayBeAnother,
  type NameDifferences,
  NO_DIFFERENCES,
  only,
} from "./name-differences.ts";
import { designateOthers } from "./normalize/designators.ts";
import type { Prepared, Word } from "./prepare.ts";
import { isUnspacedName, originalLikeness, soundLikeness } from "./scripts.ts";
import { dice, editSimilarity } from "./similarity.ts";

/** What the candidates as a whole tell about a word. */
export interface Neighbourhood {
  /** How common a word is in the candidates' names: 0 (in at most one) to about 1 (in all). */
  commonness: (word: string) => number;
  isNearby: IsNearby;
}

/** For two records compared without other candidates. */
export const NO_NEIGHBOURS: Neighbourhood = { commonness: () => 0, isNearby: () => false };

/** Comparisons of two names. Similarities range from 0 to 1; flags are 0 or 1. */
export interface NameComparisons extends NameDifferences {
  /** Dice coefficient of the trigrams; at least 0.75 for names that differ only in spelling, 0.6 if only one states its trade. */
  trigrams: number;
  /** If neither name is in Latin script: similarity in their own. Romanized, many syllables become the same. */
  original?: number | undefined;
  /** If only one name is in Latin script: similarity of the sounds, without words for kinds of place. */
  sound?: number | undefined;
  /** Weighted share of one name's words that the other name has; the greater of both directions. */
  contained: number;
  /** The lesser of both directions. */
  shared: number;
  /** Edit similarity of the first words. */
  firstWord: number;
  /** One name begins with the initials of the other. */
  acronym: number;
  /** How distinctive the shared words are, 0 to 3. Common words, kinds of place and address words count less. */
  telling: number;
  /** Both names state the same kind of place. */
  sameKind: number;
  /** Each name has words for kinds of place that the other lacks, and they share no kind. */
  otherKind: number;
  /** One name has an extra word for a trade: "X Cafe". */
  extraTrade: number;
  /** The same, for a department of a larger place: "X Pharmacy", "X University Library". */
  extraDepartment: number;
  /** The same, for something that belongs to a place and bears its name: "X ATM". */
  extraBelonging: number;
  /** The same, for a transit stop: "X Bus Stop". */
  extraStop: number;
  /** The same, for any other kind of place: "X Park". */
  extraKind: number;
  /** Only one name contains "@" or "at": "Pool @ X" is inside X, not X itself. */
  onlyOneAt: number;
  /** A word that one name lacks typically distinguishes siblings: "Hall B", "Middle School", "West", "II". */
  sibling: number;
  /** Names in scripts without spaces differ by more than kind of place, legal form and town: 中国银行, 中国工商银行. */
  otherSigns: number;
  /** The names differ only in a letter, number, direction or the like: "Terminal A", "Terminal B". */
  otherDesignation: number;
}

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
}

export function commonOf(a: Prepared, b: Prepared, { commonness }: Neighbourhood): Common {
  const same = a.joined !== "" && haveSameWords(a, b);
  const [left, right] = [counterparts(a, b, same), counterparts(b, a, same)];
  const [there, back] = [weigh(a, b, left, commonness), weigh(b, a, right, commonness)];
  const telling = Math.min(3, same ? Math.max(there.telling, 0.5) : there.telling);
  const [contained, shared] = [Math.max(there.share, back.share), Math.min(there.share, back.share)];
  return { same, left, right, contained, shared, telling };
}

/** Whether names count as different (`otherWord`) without a closer look. */
export const areHardlyAlike = ({ same, contained }: Common): boolean => !same && contained < HARDLY_ALIKE;
const HARDLY_ALIKE = 0.25;

export function compareNames(a: Prepared, b: Prepared, common: Common, isNearby: IsNearby): NameComparisons {
  const { same, left, right, contained, telling } = common;
  const [ofA, ofB] = [lacked(a.words, left), lacked(b.words, right)];
  const sound = !same && (a.original === "") !== (b.original === "") ? soundLikeness(a, b) : undefined;
  const isSame = same || (sound ?? 0) >= SOUNDS_ALIKE;
  const other = isSame ? NO_DIFFERENCES : areHardlyAlike(common) ? only("otherWord") : undefined;
  const differences = other ?? differencesOf(a, b, ofA, ofB, isNearby);
  const kinds = compareKinds(a, b, unmetKinds(a.words, left), unmetKinds(b.words, right));
  const isUnspaced = a.original !== "" && b.original !== "" && isUnspacedName(a) && isUnspacedName(b);
  const { spelt, tradeAlone } = differences;
  return {
    ...differences,
    trigrams: same ? 1 : Math.max(dice(a.trigrams, b.trigrams), LEAST_SPELT * spelt, LEAST_TRADED * tradeAlone),
    original: a.original && b.original ? originalLikeness(a, b) : undefined,
    sound,
    contained,
    shared: Math.max(common.shared, LEAST_SPELT * spelt),
    firstWord: editSimilarity(a.firstWord, b.firstWord),
    acronym: Number(!same && (isAcronym(a, b) || isAcronym(b, a))),
    telling,
    sameKind: kinds.sameKind,
    otherKind: kinds.otherKind,
    extraTrade: kinds.extraTrade,
    extraDepartment: kinds.extraDepartment,
    extraBelonging: kinds.extraBelonging,
    extraStop: kinds.extraStop,
    extraKind: kinds.extraKind,
    onlyOneAt: Number(a.saysAt !== b.saysAt),
    sibling: Number(hasSiblingWord(a.words, left) || hasSiblingWord(b.words, right)),
    otherSigns: Number(isUnspaced && mayBeAnother(differences) && hasTelling(ofA, ofB)),
    otherDesignation: Number(haveOtherDesignations(ofA, ofB)),
  };
}

/** `sound` from which names in two scripts do not count as different. */
const SOUNDS_ALIKE = 0.7;

/** Minimum similarities of names that differ only in spelling, and of names of which only one states a trade. */
const LEAST_SPELT = 0.75;
const LEAST_TRADED = 0.6;

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

const LIKE = 0.6;

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

/** Whether the first word, of two to five letters, is the other name's initials: "KFC", "Kentucky Fried Chicken". */
function isAcronym({ firstWord }: Prepared, { words }: Prepared): boolean {
  if (firstWord.length < 2 || firstWord.length > Math.min(5, words.length)) return false;
  const telling = words.filter(({ isFiller }) => !isFiller);
  return [...firstWord].every((letter, at) => telling[at]?.text.charAt(0) === letter);
}

const hasSiblingWord = (words: Word[], met: number[]): boolean =>
  words.some(
    ({ text, isFiller }, at) => (met[at] as number) < LIKE && !isFiller && (text.length === 1 || SIBLINGS.has(text)),
  );

const hasTelling = (...lacked: Word[][]): boolean => lacked.some((words) => words.some(({ kinds }) => kinds === 0));

/** Whether each name has exactly one word that the other lacks, and these designate different things of one kind. */
function haveOtherDesignations(a: Word[], b: Word[]): boolean {
  const [left, right] = [a[0], b[0]];
  return (
    left !== undefined && right !== undefined && a.length + b.length === 2 && designateOthers(left.text, right.text)
  );
}

/** Returns the words that the other name lacks, without fillers. The "a" of "Gate A" is an article too, but counts. */
const lacked = (words: Word[], met: number[]): Word[] =>
  words.filter(({ text, isFiller }, at) => met[at] !== 1 && (!isFiller || text.length === 1));

const SIBLINGS = new Set(
  "ii iii iv too two three north south east west ne nw se sw upper lower inner outer high middle elementary primary junior senior men mens women womens boys girls ladies gents kids".split(
    " ",
  ),
);
