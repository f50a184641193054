import { hasWord } from "../../matching/common-words.ts";
import { isEnding, isSaidBy, mayNamePart } from "../../matching/extra-words.ts";
import { knownOf, type Prepared, type Spot } from "../../matching/prepare.ts";
import { compareSigns } from "../../matching/text/chinese-name.ts";
import type { Word } from "../../matching/text/word.ts";

/**
 * How two names of one spot differ: at most by what one place gains and loses ("The New X", "X Group", "X of Ashbyton, RI", "X & Sons",
 * a last word cut short), by a word for a part of it ("X Annex", "X Foundation"), or otherwise.
 */
export type Difference = "little" | "a part" | "other words";

/** @param maySayTrade whether a trade that both have as their category may be left out of a name */
export function differenceOf(a: Spot, b: Spot, maySayTrade: boolean): Difference {
  const [one, other] = [knownOf(a).prepared, knownOf(b).prepared];
  const signs = one.signs && other.signs ? compareSigns(one.signs, other.signs) : undefined;
  if (signs === "alike" || signs === "other") return "other words";
  const [ours, theirs] = [lacked(one, other), lacked(other, one)];
  if (isCutShort(ours, theirs) || isCutShort(theirs, ours)) return "little";
  const isWhere = ({ text }: Word) => one.whereabouts.includes(text) || other.whereabouts.includes(text);
  const isTelling = (word: Word) => word.kinds === 0 && !isWhere(word);
  const isOneTrade = maySayTrade && a.category === b.category && ours.length * theirs.length === 0;
  const isLittle = (full: Prepared) => (word: Word) =>
    isOpening(word, full) || isEnding(word) || isWhere(word) || (isOneTrade && isSaidBy(a.category, word));
  const more = [...ours.filter((word) => !isLittle(one)(word)), ...theirs.filter((word) => !isLittle(other)(word))];
  const common = one.words.filter((word) => !word.isFiller && hasWord(other, word.text));
  if (more.length === 0 && (common.length > 1 || common.some(isTelling) || ours.length + theirs.length === 0))
    return "little";
  return ours.length * theirs.length === 0 && more.some(mayNamePart) ? "a part" : "other words";
}

const lacked = ({ words }: Prepared, other: Prepared): Word[] =>
  words.filter((word) => !word.isFiller && !hasWord(other, word.text));

/** "New X", "The Original X". */
const isOpening = (word: Word, { words }: Prepared): boolean =>
  OPENINGS.has(word.text) && words.find(({ isFiller }) => !isFiller) === word;

const OPENINGS = new Set(["new", "original"]);

/** "Foot Fitn." and "Foot Fitness", but not "Park" and "Parking", which are kinds of place. */
function isCutShort([short, ...few]: Word[], [long, ...others]: Word[]): boolean {
  if (!short || !long || few.length + others.length > 0 || short.text.length < LEAST_CUT) return false;
  return long.text.startsWith(short.text) && (short.kinds === 0 || long.kinds === short.kinds);
}

const LEAST_CUT = 4;
