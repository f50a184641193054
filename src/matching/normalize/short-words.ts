import lines from "./short-words.json" with { type: "json" };

/** Replaces abbreviations and spelling variants among a name's words by one form: "bldg" becomes "building". */
export const spellOut = (words: string[]): string[] =>
  words.some((word) => FORMS.has(word)) ? words.map((word) => FORMS.get(word) ?? word) : words;

/** Each line: the form, then what it replaces. "St" may be short for "saint" or "street", so both become "st". */
const FORMS = new Map(
  lines.flatMap(([form = "", ...others]) => others.map((other): [string, string] => [other, form])),
);
