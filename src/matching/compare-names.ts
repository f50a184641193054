import { areHardlyAlike, type Common, LIKE } from "./common-words.ts";
import { compareKinds, unmetKinds } from "./compare-kinds.ts";
import {
  type Around,
  differencesOf,
  mayBeAnother,
  type NameDifferences,
  NO_DIFFERENCES,
  only,
} from "./name-differences.ts";
import { HAN } from "./normalize/chinese.ts";
import { designateOthers, meanSame } from "./normalize/designators.ts";
import { latinOf } from "./normalize/latin.ts";
import { FIRMS } from "./normalize/place-kinds.ts";
import type { Prepared } from "./prepare.ts";
import { isUnspacedName, originalLikeness, soundLikeness } from "./scripts.ts";
import { compareSigns } from "./text/chinese-name.ts";
import { dice, editSimilarity } from "./text/similarity.ts";
import type { Word } from "./text/word.ts";

/** Comparisons of two names. Similarities range from 0 to 1; flags are 0 or 1. */
export interface NameComparisons extends NameDifferences {
  /** Dice coefficient of the trigrams; at least 0.75 for names that differ only in spelling or by words that add nothing, 0.6 if only one states its trade. */
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

export function compareNames(a: Prepared, b: Prepared, common: Common, around: Around): NameComparisons {
  const { same, left, right, contained, telling } = common;
  const [ofA, ofB] = [lacked(a.words, left), lacked(b.words, right)];
  const sound = !same && (a.original === "") !== (b.original === "") ? soundLikeness(a, b) : undefined;
  const isSame = same || (sound ?? 0) >= SOUNDS_ALIKE;
  const plain = areHardlyAlike(common) ? only("otherWord") : common.isRunTogether ? only("spelt") : undefined;
  const found = isSame ? ofSameWords(a, b) : (plain ?? differencesOf(a, b, ofA, ofB, around));
  const differences = a.signs && b.signs ? withSigns(found, compareSigns(a.signs, b.signs)) : found;
  const kinds = compareKinds(a, b, unmetKinds(a.words, left), unmetKinds(b.words, right));
  const isUnspaced = a.original !== "" && b.original !== "" && isUnspacedName(a) && isUnspacedName(b);
  const { tradeAlone } = differences;
  const spelt = Math.max(differences.spelt, Number(differences.addsNothing > 0.5));
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
    sibling: Number(hasSiblingWord(a, left, b) || hasSiblingWord(b, right, a)),
    otherSigns: Number(
      isUnspaced &&
        differences.addsNothing <= 0.5 &&
        mayBeAnother(differences) &&
        (hasTelling(ofA, ofB) || (sayFirm(ofA) && sayFirm(ofB))),
    ),
    otherDesignation: Number(haveOtherDesignations(ofA, ofB)),
  };
}

/** Names of which only town, branch, legal form or script differ are one. Signs that sound alike are two, and no slip of a key. */
function withSigns(found: NameDifferences, signs: ReturnType<typeof compareSigns>): NameDifferences {
  if (signs === undefined) return found;
  if (signs === "same") return found === NO_DIFFERENCES ? found : only("spelt");
  const isDoubtful = mayBeAnother(found) || found.kindWord + found.tradeAlone + found.extraNumber > 0;
  return isDoubtful && found.addsNothing === 0 ? found : only(signs === "alike" ? "likeWord" : "otherWord");
}

/**
 * Words for a kind of place that are one in English tell Chinese and Japanese places apart: 建国宾馆, 建国饭店. Not one with a sign more,
 * and not what is read alike, as 餐厅 and 餐廳.
 */
function ofSameWords(a: Prepared, b: Prepared): NameDifferences {
  if (a.original === b.original || !HAN.test(a.original) || !HAN.test(b.original)) return NO_DIFFERENCES;
  const [one, other] = [latinOf(a.original), latinOf(b.original)];
  return one.includes(other) || other.includes(one) ? NO_DIFFERENCES : only("kindWord");
}

/** `sound` from which names in two scripts do not count as different. */
const SOUNDS_ALIKE = 0.7;

/** Minimum similarities of names that differ only in spelling, and of names of which only one states a trade. */
const LEAST_SPELT = 0.75;
const LEAST_TRADED = 0.6;

/** Whether the first word, of two to five letters, is the other name's initials: "KFC", "Kentucky Fried Chicken". */
function isAcronym({ firstWord }: Prepared, { words }: Prepared): boolean {
  if (firstWord.length < 2 || firstWord.length > Math.min(5, words.length)) return false;
  const telling = words.filter(({ isFiller }) => !isFiller);
  return [...firstWord].every((letter, at) => telling[at]?.text.charAt(0) === letter);
}

/** "II" and "2" are one. @param met similarity of each word to its best counterpart in the other name */
const hasSiblingWord = ({ words }: Prepared, met: number[], other: Prepared): boolean =>
  words.some(
    ({ text, isFiller }, at) =>
      (met[at] as number) < LIKE &&
      !isFiller &&
      (text.length === 1 || SIBLINGS.has(text)) &&
      !other.words.some((theirs) => meanSame(text, theirs.text)),
  );

const hasTelling = (...lacked: Word[][]): boolean => lacked.some((words) => words.some(({ kinds }) => kinds === 0));

const sayFirm = (lacked: Word[]): boolean => lacked.some(({ kinds }) => (kinds & FIRMS) !== 0);

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
