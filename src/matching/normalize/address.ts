import { plainDigits } from "../../contract/text.ts";
import { unifyForms } from "./address-forms.ts";
import { type Found, type NumberRange, readSegment, withoutZeros } from "./address-segment.ts";
import { foldText } from "./normalize.ts";
import { isStateOf } from "./regions.ts";
import { isAscii } from "./repair.ts";
import { unifyWord } from "./street-words.ts";

/** The normalized parts of a street address. Unknown parts are missing or empty. */
export interface Address {
  /** House numbers without letters: 5a is 5. */
  numbers: NumberRange[];
  /** The number may also be part of the street's name: "Avenue 8". */
  isUnsure: boolean;
  /** The words of the street, unified: "n main st", "jln besar". */
  street: string[];
  /** Suite, flat or shop, without leading zeros. */
  unit?: string;
  /** Floor, without leading zeros. */
  level?: string;
  /** Post office box. */
  box?: string;
  postal?: string;
}

/**
 * Parses an address as people write it in many countries: "17 Street", "Street, 17", "17-19 Street", "Blk 701 #01-08
 * Tampines", "10 Main St Ste 200", "Hauptstr. 5a, 10115 Berlin", "P.O. Box 12". Never throws: what it does not
 * recognize counts as words of the street.
 */
export function readAddress(text: string): Address {
  const known = READ.get(text);
  if (known) return known;
  const address = parseAddress(text);
  if (READ.size >= MOST_READ) READ.clear();
  if (text.length <= LONGEST_KEPT) READ.set(text, address);
  return address;
}

/** What tells in which country an address is written. */
type Written = Partial<Record<"cc" | "state" | "zip", string | null | undefined>>;

/** Reads 108-122 as the unit 108 of the house 122 in Canada, as Canada Post asks for it, and 108/122 in Australia. */
export function asWrittenIn(written: Written, address: Address): Address {
  const { numbers } = address;
  if (numbers.some(({ isSlashed }) => isSlashed) && isInAustralia(written)) return withSlashedUnits(address);
  return numbers.some(({ from, to }) => to > from) && isInCanada(written) ? withUnitsFirst(address) : address;
}

const isInAustralia = ({ cc, state }: Written): boolean =>
  cc ? cc === "AU" || cc === "NZ" : isStateOf("AU", state ?? "");

const isInCanada = ({ cc, state, zip }: Written): boolean =>
  cc ? cc === "CA" : /^\s*[a-z]\d[a-z] ?\d[a-z]\d\s*$/i.test(zip ?? "") || isStateOf("CA", state ?? "");

/** What stands before a hyphen may be a unit or the first house of several. */
const withUnitsFirst = (address: Address): Address => ({
  ...address,
  numbers: address.numbers.map((number) =>
    number.to > number.from ? { from: number.from, to: number.from, behind: number.to } : number,
  ),
});

function withSlashedUnits(address: Address): Address {
  const [unit] = address.numbers.filter(({ isSlashed }) => isSlashed);
  const numbers = address.numbers.map((number) => {
    if (!number.isSlashed) return number;
    const house = number.behind ?? number.to;
    return { from: house, to: house };
  });
  return { ...address, numbers, ...(unit && { unit: address.unit ?? String(unit.from) }) };
}

/** Caches, because the venues of a place share addresses, and most requests concern few places. */
const READ = new Map<string, Address>();
const MOST_READ = 20_000;
const LONGEST_KEPT = 100;

function parseAddress(text: string): Address {
  const found: Found = { numbers: [], isUnsure: false };
  let street = { words: [] as string[], rank: -1 };
  for (const segment of takeApart(text, found).split(SEPARATORS)) {
    const read = readSegment(tokensOf(segment), found, street.rank);
    if (read.words.length > 0 && read.rank > street.rank) street = read;
  }
  const { block, ...address } = found;
  if (block && (address.isUnsure || address.numbers.length === 0)) {
    Object.assign(address, { numbers: [block], isUnsure: false });
  }
  return { ...address, street: street.words };
}

/**
 * Whether two addresses share a house number; undefined if one has none, if an unsure one differs, or if only one reading
 * of "3-120" fits.
 */
export function sameHouse(a: Address, b: Address): boolean | undefined {
  if (a.numbers.length === 0 || b.numbers.length === 0) return undefined;
  let mayBe = a.isUnsure || b.isUnsure;
  for (const one of a.numbers)
    for (const other of b.numbers) {
      const isSame = haveSameNumber(one, other);
      if (isSame) return true;
      mayBe ||= isSame === undefined;
    }
  return mayBe ? undefined : false;
}

/** Whether two addresses of one house number write it with the same letter, or both without one. */
export function haveSameLetters({ numbers: [a, another] }: Address, { numbers: [b, other] }: Address): boolean {
  return a !== undefined && b !== undefined && !another && !other && a.from === b.from && a.letter === b.letter;
}

/** 12 may be 12a, but 12a is not 12b. */
function haveSameNumber(one: NumberRange, other: NumberRange): boolean | undefined {
  const isFirst = one.from <= other.to && other.from <= one.to;
  if (one.behind === undefined && other.behind === undefined)
    return isFirst && (one.letter ?? other.letter) === (other.letter ?? one.letter);
  if (one.behind !== undefined && other.behind !== undefined)
    return isFirst ? one.behind === other.behind : one.behind === other.behind && isUnitFirst(one);
  const [full, plain] = one.behind === undefined ? [other, one] : [one, other];
  const behind = full.behind as number;
  const isBehind = plain.from <= behind && behind <= plain.to;
  if (isUnitFirst(full)) return isBehind || (isFirst ? undefined : false);
  const isCertain = isFirst && plain.from === plain.to;
  return isCertain || (isFirst || isBehind ? undefined : false);
}

/** A unit before its house has the smaller number: "3-120". In "37-12" it may be the other way round. */
const isUnitFirst = ({ from, behind = 0 }: NumberRange): boolean => behind > from;

/** Returns the words of an address or a part of it, such as a search term, each unified: "street" is "st". */
export function addressWords(text: string): string[] {
  const words =
    foldText(text)
      .replaceAll("'", "")
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.map(unifyWord);
}

const SEPARATORS = /[,;\n()|،、]/;

const tokensOf = (text: string): string[] => text.match(WORDS) ?? [];

/** Words and numbers, including "5/17", "17-19" and "#4". */
const WORDS = /#?[\p{L}\p{N}\p{M}]+(?:[-/][\p{L}\p{N}\p{M}]+)*/gu;

/** Moves what its form alone identifies, such as "P.O. Box 12", to `found`, and normalizes the rest. */
function takeApart(text: string, found: Found): string {
  let rest = foldText(plainDigits(text)).replaceAll("'", "");
  if (rest.includes("/")) rest = rest.replace(/(?<!\w)c\//g, "calle ").replace(/(?<!\w)s\/n(?!\w)/g, " ");
  if (!/\d/.test(rest)) return rest;
  rest = unifyForms(rest);
  if (rest.includes("-")) rest = rest.replace(/(?<=\d) ?- ?(?=\d)/g, "-");
  if (!isAscii(rest)) rest = rest.replace(/(\d{1,5}(?:-\d{1,5})?) ?(?:号|號|番地|번지)/g, " no $1 ");
  rest = rest.replace(/(?<=\d) (?=[a-z](?:,|$))/g, ""); // Hauptstraße 5 a
  if (rest.includes("#")) rest = take(LEVEL_AND_UNIT, rest.replaceAll("# ", "#"), found);
  return [BOX, BRITISH, CANADIAN, SINGAPORE].reduce((text, pattern) => take(pattern, text, found), rest);
}

function take(pattern: RegExp, text: string, found: Found): string {
  const groups = pattern.exec(text)?.groups;
  if (!groups) return text;
  for (const [part, value] of Object.entries(groups)) Object.assign(found, { [part]: withoutZeros(value) });
  return text.replace(pattern, " ");
}

const BOX =
  /(?<!\w)(?:p ?\.? ?o ?\.? ?box|post office box|postfach|apartado(?: postal)?|casilla|boite postale|bp) ?#?(?<box>\d+)/;
const LEVEL_AND_UNIT = /#(?<level>b?\d{1,2})-(?<unit>\w+)(?:[/&-]\w+)*/;
const BRITISH = /(?<!\w)(?<postal>[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2})(?!\w)/;
const CANADIAN = /(?<!\w)(?<postal>[a-z]\d[a-z] ?\d[a-z]\d)(?!\w)/;
const SINGAPORE = /(?<!\w)s(?:ingapore)?[ (]{1,2}(?<postal>\d{6})(?!\d)/;
