import { areOneSign, HAN, inOneWord, splitTown } from "../normalize/chinese.ts";
import { isOfKind, LEGAL, namesTrade, withoutKinds } from "../normalize/place-kinds.ts";

/** What a name with Chinese signs says, besides its legal form. */
export interface Signs {
  /** All but town, branch and legal form, without spaces. */
  plain: string;
  towns: string[];
  branch: string;
}

/** @param name repaired and normalized, with its spaces and its branch */
export function signsOf(nameNorm: string): Signs {
  const { rest: whole, branch } = splitLast(nameNorm);
  const { rest, towns } = splitTowns(whole);
  return { plain: rest.replace(LEGAL, "").replaceAll(" ", ""), towns, branch };
}

/** Writes towns at the beginning or with spaces around as single words in Latin letters. */
export function spellTowns(nameNorm: string): string {
  if (!HAN.test(nameNorm)) return nameNorm;
  const { rest, towns } = splitTowns(nameNorm);
  return towns.length === 0 ? nameNorm : `${towns.map(inOneWord).join(" ")} ${rest}`;
}

/** Only towns that leave two signs to tell the place: the Bank of Beijing, "北京银行", is called after one. */
function splitTowns(nameNorm: string): { rest: string; towns: string[] } {
  const words = nameNorm.split(" ");
  const towns: string[] = [];
  const kept = words.flatMap((word, at) => {
    const found = takeTowns(word, words.toSpliced(at, 1).join(""));
    if (at > 0 && found.rest !== "") return word;
    towns.push(...found.towns);
    return found.rest || [];
  });
  return { rest: kept.join(" "), towns };
}

/** @param others what else the name says */
function takeTowns(text: string, others: string): { rest: string; towns: string[] } {
  const found = splitTown(text);
  if (!found || !isTelling(found.rest + others)) return { rest: text, towns: [] };
  const { rest, towns } = takeTowns(found.rest, others);
  return { rest, towns: [found.town, ...towns] };
}

const isTelling = (text: string): boolean => (withoutKinds(text).match(SIGN)?.length ?? 0) >= 2;

const SIGN = /\p{Script=Han}/gu;

const BRANCH = "(?:店|支行|分行|分理处|分理處|储蓄所|儲蓄所|营业部|營業部|营业厅|營業廳|门市|門市|门市部|門市部)";
const IN_BRACKETS = new RegExp(`(?<=.)\\s*[(（]([^()（）]{1,20}${BRANCH})[)）]\\s*$`, "u");
const BEHIND = new RegExp(`\\p{Script=Han}${BRANCH}$`, "u");

/** Removes a branch in brackets, as in Chinese and Japanese names, or behind a word for a kind of place: 星巴克咖啡南京路店. */
export function withoutBranch(name: string): string {
  const plain = name.replace(IN_BRACKETS, "");
  return plain === name ? splitBranch(name).rest : plain;
}

function splitBranch(name: string): { rest: string; branch: string } {
  if (BEHIND.test(name))
    for (let from = name.length - 3; from >= Math.max(2, name.length - LONGEST_BRANCH); from--) {
      const [rest, branch] = [name.slice(0, from).trimEnd(), name.slice(from).trim()];
      if (isOfKind(rest) && !namesTrade(branch)) return { rest, branch };
    }
  return { rest: name, branch: "" };
}

/** Behind a space, where brackets were, it needs no word for a kind of place in front. */
function splitLast(nameNorm: string): { rest: string; branch: string } {
  const space = nameNorm.lastIndexOf(" ");
  const last = nameNorm.slice(space + 1);
  const isBranch = space > 0 && BEHIND.test(last) && !namesTrade(last);
  return isBranch ? { rest: nameNorm.slice(0, space), branch: last } : splitBranch(nameNorm);
}

const LONGEST_BRANCH = 10;

/**
 * How two names with Chinese signs compare: "alike" if one has signs that only sound like those of the other (宏泰, 鸿泰), "other" if
 * each has signs or a branch of its own.
 */
export function compareSigns(a: Signs, b: Signs): "same" | "alike" | "other" | undefined {
  const [left, right] = [lackedBy(b.plain, a.plain), lackedBy(a.plain, b.plain)];
  if (left.length === 0 || right.length === 0) return compareBranches(a, b);
  const [few, many] = left.length <= right.length ? [left, right] : [right, left];
  return few.every((sign) => many.some((other) => inOneWord(sign) === inOneWord(other))) ? "alike" : "other";
}

function compareBranches(a: Signs, b: Signs): "same" | "other" | undefined {
  const areInTown = haveTowns(a, b);
  if (areInTown && areOne(a.plain + a.branch, b.plain + b.branch)) return "same";
  const [short, long] = a.plain.length <= b.plain.length ? [a, b] : [b, a];
  const more = long.plain.slice(short.plain.length);
  const isBranch = more === "" || (short.plain.length >= LEAST_BRANCHED && IN_A_PLACE.test(more));
  if (!isBranch || !areOne(short.plain, long.plain.slice(0, short.plain.length))) return undefined;
  if (!agree(short.branch, more + long.branch)) return "other";
  return areInTown ? "same" : undefined;
}

/** A branch that is told by a street, a station or the like, behind a name whose kind is not known. */
const IN_A_PLACE = new RegExp(
  `^\\p{Script=Han}{1,3}(?:[路街站城门門桥橋区區口湖村镇鎮]|大道|广场|廣場|中心|大厦|大廈|机场|機場|大学|大學)${BRANCH}$`,
  "u",
);

/** Signs of such a name: of fewer, what follows may be the kind of a shop inside. */
const LEAST_BRANCHED = 4;

const agree = (one: string, other: string): boolean => one.includes(other) || other.includes(one);

function haveTowns({ towns: a }: Signs, { towns: b }: Signs): boolean {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  return few.every((town) => many.some((other) => areOne(town, other)));
}

function areOne(a: string, b: string): boolean {
  if (a === b) return true;
  const [one, other] = [[...a], [...b]];
  return one.length === other.length && one.every((sign, at) => areOneSign(sign, other[at] as string));
}

/** Returns the Chinese signs that one name has more often than the other. */
function lackedBy(name: string, other: string): string[] {
  if (name === other) return [];
  const own = [...name];
  return [...other].filter((sign) => {
    const at = own.findIndex((each) => areOneSign(each, sign));
    if (at >= 0) own.splice(at, 1);
    return at < 0 && HAN.test(sign);
  });
}
