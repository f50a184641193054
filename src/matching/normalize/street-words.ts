import tables from "./street-words.json" with { type: "json" };

/** Returns the form that all variants of an address word share: "st" for "street", "hauptstr" for "hauptstrasse". */
export function unifyWord(word: string): string {
  const known = FORMS.get(word);
  if (known !== undefined) return known;
  if (word <= "9~") return word.replace(/(?<=^\d+)(?:st|nd|rd|th)$/, ""); // 52nd St, 52 St
  const ending = word.length > 5 ? ENDINGS.find(([long]) => word.endsWith(long)) : undefined;
  return ending ? word.slice(0, -ending[0].length) + ending[1] : word;
}

/** Returns the other forms of an address word, as an index may have them: "59th" for "59", "hauptstrasse" for "hauptstr". */
export function variantsOf(word: string): string[] {
  const unified = unifyWord(word);
  const ends = ENDINGS.filter(([, short]) => word.length > 4 && unified.endsWith(short) && unified !== short);
  const ordinals = /^\d+$/.test(unified) ? ["", "st", "nd", "rd", "th"].map((ending) => unified + ending) : [];
  const compounds = ends.map(([long, short]) => unified.slice(0, -short.length) + long);
  return [...new Set([unified, ...(VARIANTS.get(unified) ?? []), ...ordinals, ...compounds])].filter(
    (each) => each !== word,
  );
}

/** Whether a unified word is a type of street. */
export const isStreetType = (word: string): boolean =>
  TYPES.has(word) || (word.length > 5 && TYPE_ENDINGS.some((ending) => word.endsWith(ending)));

/**
 * Whether streets of this type have numbers as names: "Tampines Avenue 8", "Lane 3", "Route 66". If there are no other
 * words, any type may: "Calle 98".
 */
export const isNumbered = (word: string, isAll: boolean): boolean => (isAll ? TYPES : NUMBERED).has(word);

/** Endings of compound words: "hauptstrasse". */
const ENDINGS = tables.endings as [string, string][];
const TYPE_ENDINGS = tables.typeEndings;

/** Of lines that each have the shared form, then the variants. Words with the same abbreviation share one form. */
const formsOf = (lines: string[][]): [string, string][] =>
  lines.flatMap(([form = "", ...others]) => [form, ...others].map((other): [string, string] => [other, form]));

const STREETS = formsOf(tables.streets);
const OTHERS = formsOf(tables.others);

/** The shared form of each variant. */
export const FORMS: ReadonlyMap<string, string> = new Map([...OTHERS, ...STREETS]);
const VARIANTS = new Map(
  [...Map.groupBy(FORMS, ([, form]) => form)].map(([form, pairs]) => [form, pairs.map(([variant]) => variant)]),
);
const TYPES = new Set(STREETS.map(([, form]) => form));
const NUMBERED = new Set(tables.numbered);
