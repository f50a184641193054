import { designationsOf } from "./normalize/designators.ts";
import { latinOf } from "./normalize/latin.ts";
import { normalizeName } from "./normalize/normalize.ts";
import { kindsOfWord } from "./normalize/place-kinds.ts";
import type { Spot } from "./prepare.ts";
import { areFields } from "./text/spelling.ts";

type Named = Pick<Spot, "name" | "city">;

/**
 * Whether typing errors may explain how two names differ besides the town: letters missing, doubled, wrong or swapped, or spaces. Numbers,
 * letters and directions are no such errors, nor are two known words, as "Hotel" and "Hostel". Of Chinese signs one is missing, doubled
 * or swapped, because a wrong one is another word.
 */
export function mayBeMistyped(a: Named, b: Named): boolean {
  const towns = new Set(normalizeName(`${a.city ?? ""} ${b.city ?? ""}`).split(" "));
  const withoutTowns = ({ name }: Named) => {
    const words = normalizeName(name).split(" ");
    return words.filter((word) => !towns.has(word)).join(" ") || words.join(" ");
  };
  const names: [string, string] = [withoutTowns(a), withoutTowns(b)];
  if (Math.abs(names[0].length - names[1].length) > LONGEST_MORE) return false;
  if (OF_SIGNS.test(names[0]) && haveMistypedSigns(...names)) return true;
  return !HAN.test(names[0]) && haveMistypedLetters(...names);
}

function haveMistypedSigns(a: string, b: string): boolean {
  const [one, other] = [a.replaceAll(" ", ""), b.replaceAll(" ", "")];
  const slips = slipsBetween(one, other, 1);
  const isEnough =
    one.length !== other.length ? Math.min(one.length, other.length) >= LEAST_SIGNS : haveSameSigns(one, other);
  return slips === 0 || (slips === 1 && isEnough);
}

function haveMistypedLetters(a: string, b: string): boolean {
  const [one, other] = [lettersOf(a), lettersOf(b)];
  const [left, right] = [lacked(one, other), lacked(other, one)];
  if ([...left, ...right].some((word) => designationsOf(word).length > 0 || /\d/.test(word))) return false;
  if (left.length === right.length) return areMistyped(left, right);
  const [ours, theirs] = [one.join(""), other.join("")];
  return Math.min(ours.length, theirs.length) >= LEAST_JOINED && slipsBetween(ours, theirs, 1) <= 1;
}

/** The words, those of Korean by their letters. */
const lettersOf = (nameNorm: string): string[] => nameNorm.normalize("NFD").split(" ");

/** Metres between two records of one place whose names differ by typing errors. */
export const MISTYPED_WITHIN = 500;

/** UTF-16 units by which the longer name is longer, with spaces. */
const LONGEST_MORE = 5;

const HAN = /\p{Script=Han}/u;
const OF_SIGNS = /[\p{Script=Han}\p{Script=Hangul}]/u;

/** Signs of a name of which one may be missing. */
const LEAST_SIGNS = 3;

const lacked = (words: readonly string[], others: readonly string[]): string[] =>
  words.filter((word) => !others.includes(word));

/** Letters of a name of which a space may be in the wrong place, and of words that may lack or swap a letter, or have other errors. */
const [LEAST_JOINED, LEAST_LACKING, LEAST_WRONG] = [8, 4, 5];

/** Errors in a word, and in a name. */
const [MOST_IN_WORD, MOST_SLIPS] = [2, 3];

/** Whether each word may be the one at the same place in the other list. */
function areMistyped(left: readonly string[], right: readonly string[]): boolean {
  let slips = 0;
  for (const [at, word] of left.entries()) {
    const other = right[at] as string;
    if (areKnown(latinOf(word), latinOf(other))) return false;
    const found = slipsBetween(word, other, MOST_IN_WORD);
    const isWrong = found > 1 || (word.length === other.length && !haveSameSigns(word, other));
    const isShort = Math.min(word.length, other.length) < (isWrong ? LEAST_WRONG : LEAST_LACKING);
    if (found > MOST_IN_WORD || isShort) return false;
    slips += found;
  }
  return slips <= MOST_SLIPS;
}

const areKnown = (a: string, b: string): boolean => (kindsOfWord(a) !== 0 && kindsOfWord(b) !== 0) || areFields(a, b);

/** Whether they have the same letters, of which one may have some more often. */
const haveSameSigns = (a: string, b: string): boolean => sorted(new Set(a)) === sorted(new Set(b));

const sorted = (signs: Set<string>): string => [...signs].sort().join("");

/** Counts the letters to insert, leave out, change or swap with the next; more than `most` if they are more. */
function slipsBetween(a: string, b: string, most: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let [before, previous]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const least = Math.min(current[column - 1] as number, previous?.[column] as number) + 1;
      const changed = (previous?.[column - 1] as number) + (isSame ? 0 : 1);
      const swapped = isSwapped ? (before?.[column - 2] as number) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(least, changed, swapped));
    }
    [before, previous] = [previous, current];
  }
  return previous?.[b.length] as number;
}
