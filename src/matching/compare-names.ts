import { designateOthers } from "./normalize/designators.ts";
import { BELONGINGS, DEPARTMENTS, INSTITUTIONS, STOPS, TRADES } from "./normalize/place-kinds.ts";
import type { Prepared, Word } from "./prepare.ts";
import { dice, editSimilarity } from "./similarity.ts";

/** How common a word is among the names at hand, 0 (nowhere else) to 1 (in every name). */
export type Commonness = (word: string) => number;

/** Names compared. Likenesses are 0 to 1, what is so or not 0 or 1. */
export interface NameComparisons {
  /** Trigrams in common. */
  trigrams: number;
  /** Both names are in another script: likeness there. In Latin letters many syllables read the same. */
  original?: number;
  /** The share of one name, by weight of its words, that is found in the other; the greater of both ways. */
  contained: number;
  /** The lesser of both ways. */
  shared: number;
  /** Likeness of the first words. */
  firstWord: number;
  /** One name begins with the initials of the other. */
  acronym: number;
  /** How telling the words in common are, 0 to 3: common words, kinds of places and what the address says as well tell little. */
  telling: number;
  /** Words for the same kind of place. */
  sameKind: number;
  /** Both names have words for kinds of places that the other lacks, none of one kind. */
  otherKind: number;
  /** One name alone has words for a kind of place: a trade ("X Cafe"), */
  extraTrade: number;
  /** a department of something greater ("X Pharmacy"), */
  extraDepartment: number;
  /** what belongs to a place and bears its name ("X ATM"), */
  extraBelonging: number;
  /** a stop in front of it ("X Bus Stop"), */
  extraStop: number;
  /** or none of these ("X Park"). */
  extraKind: number;
  /** One name alone says where it is: "Pool @ X" is in X and is not X. */
  onlyOneAt: number;
  /** Both names bear a number, not the same one: "Gate 3", "Gate 4". */
  otherNumber: number;
  /** A word that one name lacks is of those that tell siblings apart: "Hall B", "Middle School", "West", "II". */
  sibling: number;
  /** The names differ in one letter, number or direction alone: "Terminal A", "Terminal B"; "North Tower", "South Tower". */
  otherDesignation: number;
}

export function compareNames(a: Prepared, b: Prepared, commonness: Commonness): NameComparisons {
  const same = a.joined !== "" && haveSameWords(a, b);
  const [left, right] = [counterparts(a, b, same), counterparts(b, a, same)];
  const [there, back] = [weigh(a, b, left, commonness), weigh(b, a, right, commonness)];
  return {
    trigrams: same ? 1 : dice(a.trigrams, b.trigrams),
    ...(a.original && b.original && { original: originalLikeness(a, b) }),
    contained: Math.max(there.share, back.share),
    shared: Math.min(there.share, back.share),
    firstWord: editSimilarity(a.firstWord, b.firstWord),
    acronym: Number(!same && (isAcronym(a, b) || isAcronym(b, a))),
    telling: Math.min(3, same ? Math.max(there.telling, 0.5) : there.telling),
    ...compareKinds(a, b, unmetKinds(a.words, left), unmetKinds(b.words, right)),
    onlyOneAt: Number(a.saysAt !== b.saysAt),
    otherNumber: Number(a.numbers !== "" && b.numbers !== "" && a.numbers !== b.numbers),
    sibling: Number(hasSiblingWord(a.words, left) || hasSiblingWord(b.words, right)),
    otherDesignation: Number(haveOtherDesignations(lacked(a.words, left), lacked(b.words, right))),
  };
}

/** The same words, in whatever order, and however they are split. */
export const haveSameWords = (a: Named, b: Named): boolean =>
  a.joined === b.joined || (a.joined.length === b.joined.length && inOrder(a.words) === inOrder(b.words));

type Named = Pick<Prepared, "words" | "joined">;

const inOrder = (words: Word[]): string =>
  words
    .map(({ text }) => text)
    .sort()
    .join("");

export const hasWord = ({ words }: Named, word: string): boolean => words.some(({ text }) => text === word);

/** For each word of `from` how like its best counterpart in `to` is; below 0.6 it has none. */
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

/** How like a word is to a name that has it within a word or as two: "beauty" to "thebeautyworks". Shorter ones occur by chance. */
const WITHIN = 0.95;
const LONG_ENOUGH = 4;

function wordLikeness(a: Word, b: Word): number {
  const likeness = dice(a.trigrams, b.trigrams);
  const mayBeMisspelt = likeness > 0.3 || a.text[0] === b.text[0];
  return mayBeMisspelt ? Math.max(likeness, 0.95 * editSimilarity(a.text, b.text)) : likeness;
}

/** Shares and sums by the weight of words: rare ones weigh more, what the address says as well tells less. */
function weigh(from: Prepared, to: Prepared, met: number[], commonness: Commonness) {
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

function originalLikeness(a: Prepared, b: Prepared): number {
  return Math.max(dice(a.originalTrigrams, b.originalTrigrams), editSimilarity(a.original, b.original));
}

/** "KFC" and "Kentucky Fried Chicken": two to five letters against the first letters of the words. */
function isAcronym({ firstWord }: Prepared, { words }: Prepared): boolean {
  if (firstWord.length < 2 || firstWord.length > Math.min(5, words.length)) return false;
  const telling = words.filter(({ isFiller }) => !isFiller);
  return [...firstWord].every((letter, at) => telling[at]?.text.charAt(0) === letter);
}

const hasSiblingWord = (words: Word[], met: number[]): boolean =>
  words.some(
    ({ text, isFiller }, at) => (met[at] as number) < LIKE && !isFiller && (text.length === 1 || SIBLINGS.has(text)),
  );

/** Each has exactly one word that the other lacks, and the two designate different things of one kind. */
function haveOtherDesignations(a: Word[], b: Word[]): boolean {
  const [left, right] = [a[0], b[0]];
  return (
    left !== undefined && right !== undefined && a.length + b.length === 2 && designateOthers(left.text, right.text)
  );
}

/** The words that the other name lacks. Articles and legal forms do not count; the letter of "Gate A" does. */
const lacked = (words: Word[], met: number[]): Word[] =>
  words.filter(({ text, isFiller }, at) => met[at] !== 1 && (!isFiller || text.length === 1));

const SIBLINGS = new Set(
  "ii iii iv too two three north south east west ne nw se sw upper lower inner outer high middle elementary primary junior senior men mens women womens boys girls ladies gents kids".split(
    " ",
  ),
);

/** The kinds that words without a counterpart tell of. */
function unmetKinds(words: Word[], met: number[]): number {
  return words.reduce((kinds, word, at) => ((met[at] as number) < 0.7 ? kinds | word.kinds : kinds), 0);
}

/** @param ofA the kinds that only the first name tells of, `ofB` only the second */
function compareKinds(a: Prepared, b: Prepared, ofA: number, ofB: number) {
  const extra = ofA === 0 || ofB === 0 ? ofA | ofB : 0;
  const isWithin = (a.kinds & b.kinds & INSTITUTIONS) !== 0;
  const [trades, departments] = isWithin ? [0, extra] : [TRADES, DEPARTMENTS];
  const group = [BELONGINGS, STOPS, trades, departments].findIndex((kinds) => (extra & kinds) !== 0);
  return {
    sameKind: Number((a.kinds & b.kinds) !== 0),
    otherKind: Number(ofA !== 0 && ofB !== 0 && (ofA & ofB) === 0),
    extraBelonging: Number(group === 0),
    extraStop: Number(group === 1),
    extraTrade: Number(group === 2),
    extraDepartment: Number(group === 3),
    extraKind: Number(extra !== 0 && group < 0),
  };
}
