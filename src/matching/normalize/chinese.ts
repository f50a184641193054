import anyAscii from "any-ascii";
import tables from "./chinese.json" with { type: "json" };

export const HAN = /\p{Script=Han}/u;

/** Legal forms in Chinese; that of a branch ("分公司") is none. */
export const LEGAL_FORMS =
  "(?:集团|集團)?(?:股份|有限责任|有限責任)?(?:有限公司|股份公司|(?<=有限责任|有限責任)公司)|集团公司|集團公司|总公司|總公司|(?<![分子])公司|(?<=\\p{Script=Han}{2})(?:集团|集團)";

const listed = (text: string): string[] => text.split(" ");

/** Words for what a firm or a shop does, by kind of place. Unlike those of place-kinds.json, each is compared as itself. */
export const TRADES_BY_KIND: [string, string[]][] = Object.entries(tables.kinds).map(([kind, words]) => [
  kind,
  listed(words),
]);

/** One word in Latin letters: "科技" becomes "keji". */
export const inOneWord = (signs: string): string =>
  anyAscii(signs)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");

const TOWNS = ["中国", "中國", ...tables.towns.flatMap(listed)].sort((a, b) => b.length - a.length).join("|");

/** A province, a town or a district at the beginning. "超市" is a supermarket, and "南京路" a street. */
const TOWN = new RegExp(
  `^(?:(${TOWNS})(?:自治区|自治區|特别行政区|特別行政區|[省市县縣区區镇鎮])?|(\\p{Script=Han}{2,3})(?:(?<![超夜门門菜都城上花集楼樓股鱼魚])市|[县縣]|(?<![小社校园園院景厂廠地街])[区區]|(?<![古小])[镇鎮]))(?![东東西南北中]?[路街道站门門])`,
  "u",
);

/** Splits a text that begins with a province, a town or a district behind it. Of "北京市" the town is "北京". */
export function splitTown(text: string): { town: string; rest: string } | undefined {
  const found = TOWN.exec(text);
  return found ? { town: (found[1] ?? found[2]) as string, rest: text.slice(found[0].length) } : undefined;
}

/** Whether two signs are one in the simplified and the traditional script, as 华 and 華 are; most that sound alike are two. */
export function areOneSign(a: string, b: string): boolean {
  if (a === b) return true;
  if (anyAscii(a) !== anyAscii(b)) return false;
  charsets ??= { simplified: signsOf("gb18030", 0xb0, 0xf7), traditional: signsOf("big5", 0xa4, 0xf9) };
  const { simplified, traditional } = charsets;
  const [one, other] = simplified.has(a) ? [a, b] : [b, a];
  if (simplified.has(other)) return false;
  return !simplified.has(one) || !traditional.has(one) || MERGED.has(one + other);
}

/** Signs of both scripts that stand for several of the traditional one, with each of these. */
const MERGED = new Set(listed(tables.mergedSigns));

/** The signs of GB 2312 and of Big5, read when the first two sound alike. */
let charsets: { simplified: Set<string>; traditional: Set<string> } | undefined;

function signsOf(encoding: string, first: number, last: number): Set<string> {
  const bytes: number[] = [];
  const isSimplified = encoding === "gb18030";
  for (let row = first; row <= last; row++)
    for (let at = isSimplified ? 0xa1 : 0x40; at <= 0xfe; at++) if (at < 0x7f || at > 0xa0) bytes.push(row, at);
  return new Set(new TextDecoder(encoding).decode(Uint8Array.from(bytes)));
}
