import { addsNothingOf, isChain, isTown, type OtherNames } from "./extra-words.ts";
import { designationsOf, meanSame } from "./normalize/designators.ts";
import { CONTAINERS, LEFT_OUT } from "./normalize/place-kinds.ts";
import type { Prepared } from "./prepare.ts";
import { dice, editSimilarity } from "./text/similarity.ts";
import { MOST_DIFFERENCE, mayBeSlip, soundOf, soundsAlike } from "./text/spelling.ts";
import type { Word } from "./text/word.ts";

/**
 * How two names differ beyond spelling, spacing, numbers in words, initials and words of the address. At most one of
 * these flags is not 0, but for `addsNothing`.
 */
export interface NameDifferences {
  /** Each name has a word that the other lacks: "First Baptist Church", "First Methodist Church". */
  otherWord: number;
  /** The same, but in one name these words only state a kind of place: "Royal Press", "Royal School". */
  kindWord: number;
  /** The same, but the words look similar: "Radiology", "Cardiology"; 0.5 if a slip of a key explains it: "Grecer", "Grocer". */
  likeWord: number;
  /** Only one name has extra words, and none of the cases below applies: "Bennets", "Bennets of Bruntsfield". */
  extraWord: number;
  /** The extra words stand before or after the name of a place that may have parts: "Highland Building Ballroom". */
  extraBeside: number;
  /** The extra words include a number, a letter or a direction: "Museum Room 104", "Phase 2". */
  extraNumber: number;
  /** The extra words stand inside the name of a place that may have parts: "King George Memorial Park". */
  extraWithin: number;
  /** The extra words state a trade, and the other name no kind of place: "Blue Door", "Blue Door Cafe". */
  tradeAlone: number;
  /** Only one name contains the town or the street. */
  placeAlone: number;
  /** The names differ only in spelling. */
  spelt: number;
  /**
   * The extra words of `extraWord` or `tradeAlone`, besides that flag, leave no doubt (extra-words.ts). Where everything else is
   * alike, neither do those that say where a branch is (0.75), and those of no known kind (0.5).
   */
  addsNothing: number;
}

/** What other venues around tell about a word. */
export interface Around extends OtherNames {
  /** Whether the word, of four letters or more, occurs in an address or a town nearby. */
  isNearby: (word: string) => boolean;
}

/** @param ofA words of the listing's name that the venue's lacks; `ofB`: the reverse */
export function differencesOf(a: Prepared, b: Prepared, ofA: Word[], ofB: Word[], around: Around): NameDifferences {
  if (ofA.length + ofB.length === 0) return NO_DIFFERENCES;
  const lacked = unexplained(a, b, ofA, ofB);
  const [left, right] = withoutWhereabouts(a, b, lacked, around);
  if (left.length > 0 && right.length > 0) {
    if (areSlips(left, right)) return SLIP;
    if (tellKinds(left) || tellKinds(right)) return only("kindWord");
    return only(areLike(left, right) ? "likeWord" : "otherWord");
  }
  if (left.length + right.length === 0) {
    const [ours, theirs] = lacked;
    if (ours.length + theirs.length === 0) return only("spelt");
    return only(isTelling(ours.length > 0 ? b : a) ? "placeAlone" : "extraWord");
  }
  const [extra, full, base] = left.length > 0 ? [left, a, b] : [right, b, a];
  const names = { full, base, venue: b };
  const difference = oneSided(extra, full, base);
  if (difference === ONLY.extraBeside && extra.every((word) => isTown(word, names, around))) return only("placeAlone");
  if (difference !== ONLY.extraWord && difference !== ONLY.tradeAlone) return difference;
  const addsNothing = addsNothingOf(extra, names, around);
  return addsNothing > 0 ? { ...difference, addsNothing } : difference;
}

/** At the beginning of a name: "14 International Business Park", "M. Azhar Newsagent". */
const HOUSE_OR_INITIAL = /^(?:\d+[a-z]?|[a-z])$/;

/** "CVS Pharmacy 1234". Rooms and gates have such numbers too, but in places that may have parts. */
const STORE_NUMBER = /^\d{3,}$/;

/** @param words words of `full` that `base` lacks */
function oneSided(words: Word[], full: Prepared, base: Prepared): NameDifferences {
  const extra = words.filter((word) => !(word === full.words[0] && HOUSE_OR_INITIAL.test(word.text)));
  if (extra.length === 0) return only("placeAlone");
  const mayHaveParts = (base.kinds & CONTAINERS) !== 0 && !isChain(base);
  if (!mayHaveParts && extra.every(({ text }) => STORE_NUMBER.test(text))) return only("extraWord");
  if (extra.some(({ text }) => designationsOf(text).length > 0)) return only("extraNumber");
  if (mayHaveParts) return only(isOutside(extra, full) ? "extraBeside" : "extraWithin");
  const isTrade = base.kinds === 0 && extra.every(({ kinds }) => (kinds & LEFT_OUT) !== 0);
  return only(isTrade && isTelling(base) ? "tradeAlone" : "extraWord");
}

/** Whether a name says more than the kind of place and where it is. */
const isTelling = ({ words, whereabouts }: Prepared): boolean =>
  words.some(({ text, kinds, isFiller }) => kinds === 0 && !isFiller && !whereabouts.includes(text));

export const NO_DIFFERENCES: NameDifferences = {
  otherWord: 0,
  kindWord: 0,
  likeWord: 0,
  extraWord: 0,
  extraBeside: 0,
  extraNumber: 0,
  extraWithin: 0,
  tradeAlone: 0,
  placeAlone: 0,
  spelt: 0,
  addsNothing: 0,
};

const ONLY = Object.fromEntries(
  Object.keys(NO_DIFFERENCES).map((difference) => [difference, { ...NO_DIFFERENCES, [difference]: 1 }]),
) as Record<keyof NameDifferences, NameDifferences>;

const SLIP: NameDifferences = { ...NO_DIFFERENCES, likeWord: 0.5 };

export const only = (difference: keyof NameDifferences): NameDifferences => ONLY[difference];

/** Whether the words that differ may name another place. */
export const mayBeAnother = ({ otherWord, kindWord, extraWord, extraBeside, extraWithin }: NameDifferences): boolean =>
  otherWord + kindWord + extraWord + extraBeside + extraWithin > 0;

type Both = [Word[], Word[]];

function unexplained(a: Prepared, b: Prepared, ofA: Word[], ofB: Word[]): Both {
  const [left, right] = [[...ofA], [...ofB]];
  if (left.length > 0 && right.length > 0) {
    removeJoined(left, right);
    removeJoined(right, left);
    for (const word of [...left]) {
      const at = right.findIndex((other) => meanSame(word.text, other.text) || soundsAlike(word, other));
      if (at < 0) continue;
      right.splice(at, 1);
      left.splice(left.indexOf(word), 1);
    }
  }
  return [left.filter((word) => !isInitials(word, a)), right.filter((word) => !isInitials(word, b))];
}

/** Removes words of address and town, unless both names have some: "X Leith" and "X Morningside" are two places. */
function withoutWhereabouts(a: Prepared, b: Prepared, [left, right]: Both, { isNearby }: Around): Both {
  const isBothSided = left.length > 0 && right.length > 0;
  const isElsewhere = ({ text, kinds }: Word) =>
    !a.whereabouts.includes(text) && !b.whereabouts.includes(text) && (isBothSided || kinds !== 0 || !isNearby(text));
  const [ours, theirs] = [left.filter(isElsewhere), right.filter(isElsewhere)];
  return ours.length < left.length && theirs.length < right.length ? [left, right] : [ours, theirs];
}

/** Removes words that one name joins and the other splits: "green mantle", "greenmantle". */
function removeJoined(many: Word[], few: Word[]): void {
  for (const whole of [...few]) {
    for (let from = 0; from < many.length - 1; from++) {
      let [joined, to] = ["", from];
      while (to < many.length && joined.length < whole.text.length) joined += many[to++]?.text;
      if (to - from < 2 || Math.abs(joined.length - whole.text.length) > MOST_DIFFERENCE) continue;
      if (joined !== whole.text && !soundsAlike({ text: joined, sound: soundOf(joined) }, whole)) continue;
      many.splice(from, to - from);
      few.splice(few.indexOf(whole), 1);
      break;
    }
  }
}

/** Whether a word consists of the initials of the others: "RBS" in "Royal Bank of Scotland (RBS)". */
function isInitials({ text }: Word, { words }: Prepared): boolean {
  if (text.length < 2 || text.length > 6 || words.length < 3) return false;
  const others = words.filter((word) => word.text !== text);
  const initials = (some: Word[]) => some.map((word) => word.text.charAt(0)).join("");
  return initials(others) === text || initials(others.filter(({ isFiller }) => !isFiller)) === text;
}

/** Whether the extra words stand before or after all others, not between them. */
function isOutside(extra: Word[], { words }: Prepared): boolean {
  const telling = words.filter(({ isFiller }) => !isFiller);
  const at = extra.map((word) => telling.indexOf(word));
  return Math.max(...at) === extra.length - 1 || Math.min(...at) === telling.length - extra.length;
}

const tellKinds = (words: Word[]): boolean => words.every(({ kinds }) => kinds !== 0);

/** Whether each word of one list is one of the other with a slip of a key. "Hostel" and "Hotel" are known to be two. */
const areSlips = (left: Word[], right: Word[]): boolean =>
  left.length === right.length &&
  left.every((word) =>
    right.some((other) => (word.kinds === 0 || other.kinds === 0) && mayBeSlip(word.text, other.text)),
  );

/** Whether each word of the shorter list is similar to one of the other list. */
const areLike = (left: Word[], right: Word[]): boolean => {
  const [few, many] = left.length <= right.length ? [left, right] : [right, left];
  return few.every((word) => many.some((other) => isLike(word, other)));
};

/** Misspelt words seldom begin differently: "Cardiology" and "Radiology" are two words. */
function isLike(a: Word, b: Word): boolean {
  const likeness = editSimilarity(a.text, b.text);
  if (a.text[0] !== b.text[0]) return likeness > 0.85;
  return likeness >= 0.6 || dice(a.trigrams, b.trigrams) > 0.35;
}
