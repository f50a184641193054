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
  const { rest: whole, branch } = splitBranch(nameNorm);
  const { rest, towns } = splitTowns(whole);
  return { plain: rest.replace(LEGAL, "").replaceAll(" ", ""), towns, branch };
}

/** Writes towns at the beginning or with spaces around as single words in Latin letters. */
export function spellTowns(nameNorm: string): string {
  if (!HAN.test(nameNorm)) return nameNorm;
  const { rest, towns } = splitTowns(nameNorm);
  return towns.length === 0 ? nameNorm : `${towns.map(inOneWord).join(" ")} ${rest}`;
}

/** As single words in Latin letters. */
export const townsIn = (nameNorm: string): string[] => splitTowns(nameNorm).towns.map(inOneWord);

/** Only towns that leave two signs to tell the place: the Bank of Beijing, "北京银行", is called after one. */
function splitTowns(nameNorm: string): { rest: string; towns: string[] } {
  const towns: string[] = [];
  const take = (text: string, others: string): string => {
    const found = splitTown(text);
    if (!found || !isTelling(found.rest + others)) return text;
    towns.push(found.town);
    return take(found.rest, others);
  };
  const words = nameNorm.split(" ");
  const kept = words.map((word, at) => {
    const others = words.filter((_, other) => other !== at).join("");
    const left = take(word, others);
    return at === 0 || left === "" ? left : word;
  });
  return { rest: kept.filter(Boolean).join(" "), towns: towns };
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

const LONGEST_BRANCH = 10;

/** How two names with Chinese signs compare: by "alike" a sign is another that sounds the same (宏泰, 鸿泰), by "other" any other. */
export function compareSigns(a: Signs, b: Signs): "same" | "alike" | "other" | undefined {
  const [left, right] = [lackedBy(b.plain, a.plain), lackedBy(a.plain, b.plain)];
  if (left.length + right.length === 0) {
    const isSame = agree(a.branch, b.branch) && haveTowns(a, b) && areOne(a.plain, b.plain);
    return isSame ? "same" : undefined;
  }
  if (left.length === 0 || right.length === 0) return undefined;
  const [few, many] = left.length <= right.length ? [left, right] : [right, left];
  return few.every((sign) => many.some((other) => inOneWord(sign) === inOneWord(other))) ? "alike" : "other";
}

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
