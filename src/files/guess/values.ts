import type { LatLng } from "../../contract/parameters.ts";
import { phoneNumbersIn } from "../../contract/phone-numbers.ts";
import type { Columns, Field } from "../columns.ts";
import { isOnEarth, mayBeWkb, parseDegrees, splitPosition } from "../row/position.ts";
import { isNothing } from "../row/row.ts";

/** A guess so far: the values of each column, and `take`, which has no effect for a field or column that is taken. */
export interface Guess {
  header: string[];
  rows: number;
  cells: string[][];
  values: string[][];
  columns: Columns;
  taken: Set<number>;
  take: (field: Field, index: number) => void;
}

export const valuesOf = (rows: string[][], index: number): string[] =>
  rows
    .map((cells) => cells[index]?.trim().slice(0, LONGEST) ?? "")
    .filter((value) => value !== "" && !isNothing(value));

const LONGEST = 300;

/** Returns whether more than `share` of the values pass the test. Stops once that is impossible, as a file may have 500 columns. */
export function moreThan(share: number, values: string[], test: (value: string) => boolean): boolean {
  let failed = 0;
  const isReached = (value: string) => {
    if (!test(value)) failed += 1;
    return values.length - failed > share * values.length;
  };
  return values.length > 0 && values.every(isReached);
}

export const variety = (values: string[]): number => new Set(values).size / Math.max(values.length, 1);

export const areIds = (values: string[]): boolean =>
  values.length > 0 &&
  variety(values) > 0.98 &&
  values.every((value) => /^[\p{L}\p{N}._:/#-]*\d[\p{L}\p{N}._:/#-]*$/u.test(value) && value.length <= 64);

export function isPosition(value: string): boolean {
  const ll = pairIn(value, "ll");
  return ll !== undefined && (isOnEarth(ll) || isOnEarth({ lat: ll.lng, lng: ll.lat }));
}

export function isLngLat(value: string): boolean {
  const ll = pairIn(value, "lngLat");
  return ll !== undefined && isOnEarth(ll);
}

function pairIn(value: string, order: "ll" | "lngLat"): LatLng | undefined {
  if (!/\d[.,]\d|\d\s*[°º].*\d\s*[°º]/.test(value) && !mayBeWkb(value)) return undefined;
  const [lat, lng] = (splitPosition(value, order) ?? []).map((half) => parseDegrees(half)?.value);
  return lat === undefined || lng === undefined ? undefined : { lat, lng };
}

/** Requires decimals: whole numbers may be anything, and columns with two at most are prices or ratings. */
export const areFineDegrees = (values: string[]): boolean =>
  moreThan(0.8, values, isFineDegree) && moreThan(0.3, values, (value) => /[.,]\d{3}|[°NSEW]/i.test(value));

function isFineDegree(value: string): boolean {
  const degrees = parseDegrees(value);
  return (
    degrees !== undefined && Math.abs(degrees.value) <= 180 && (degrees.axis !== undefined || /[.,]\d{2}|°/.test(value))
  );
}

export function isPhone(value: string): boolean {
  if (!/\p{Nd}/u.test(value)) return false;
  const plain = value.normalize("NFKC").replace(/\p{Pd}/gu, "-");
  const isLikely = /^[+(0]|\p{Nd}[ ()./-]+\p{Nd}/u.test(plain) && PHONES.test(plain);
  return isLikely && phoneNumbersIn(plain).length > 0 && !NO_PHONE.test(plain) && !isZip(plain) && !isPosition(plain);
}

/** Decimals (7 digits would be enough), amounts, dates and times. */
const NO_PHONE =
  /^[+-]?\d+[.,]\d+$|^[+-]?\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?:[.,]\d{1,2})?$|^(?:(?:19|20)\d\d([./-])[01]?\d\2[0-3]?\d|[0-3]?\d([./-])[0-3]?\d\3(?:19|20)?\d\d)(?: .*)?$/;

const PHONES = /^[\p{Nd}+() ./;,|、-]*(?:(?:ext\.?|x|转) ?\p{Nd}{1,6})?$/iu;

export const isUrl = (value: string): boolean =>
  /^(?:https?:\/\/|www\.)\S+$|^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:\/\S*)?$/i.test(value);

export const isText = (value: string): boolean => /\p{L}{2}/u.test(value) && !/@\S+\./.test(value);

export const isWords = (value: string): boolean => isText(value) && !/\d/.test(value);

export const isLetterCode = (value: string): boolean => /^\p{Lu}{2,3}$/u.test(value);

export const isCountry = (value: string): boolean =>
  /^(?:USA?|UK|GB|FR|NL|ES|IT|AT|CH|BE|PL|DK|SE|NO|FI|CZ|IE|JP|BR|MX|AU|NZ)$/.test(value);

const ZIPS = [
  /^(?:\d{5}|\d{6}|\d{5}-\d{3,4}|\d{3} \d{2,3}|\d{2}-\d{3}|〒?\d{3}-\d{4})$/,
  /^(?!19|20)\d{4}$|^\d{4} ?[A-Z]{2}$/, // not years
  /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$|^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i,
];
export const isZip = (value: string): boolean => ZIPS.some((shape) => shape.test(value));

export const streetLikeness = (value: string): number =>
  Number(NUMBERED.test(value)) + Number(STREET.test(value) && isText(value));

const NUMBERED = /^\d+[a-z]?(?:[-/]\d+[a-z]?)?(?: 1\/2)?,? +\p{L}|\p{L}\.?,? +\d+ ?[a-z]?(?:[-/]\d+ ?[a-z]?)?$/iu;
const STREET =
  /(?:^|[ .])(?:st|street|ave?|avenue|rd|road|blvd|boulevard|ln|lane|dr|drive|hwy|highway|pike|way|ct|court|sq|square|pkwy|rue|quai|via|viale|calle|avenida|paseo|rua|ul|ulica|plaza|place|piazza)(?:[ .,]|$)|\p{L}(?:str\.?|stra(?:ß|ss)e|gasse|weg|allee|platz|ufer|damm|straat|laan|plein|gatan|vägen|gade|vej|katu)(?:[ .,]|$)/iu;

/** Whether the name of a column tells nothing: it is of no heights, prices, flags, or numbers of something else. */
export const mayBeAnything = (name: string): boolean =>
  /^(?:\W*|column\W*\d+|col\W*\d+|[a-z]\W*\d*|unnamed.*|field\W*\d+)$/i.test(name);
