import { namesByCode, twoLetters } from "./names-by-code.ts";

/** Translates the English name of a country, as our directory writes it. */
export const countryInWords = namesByCode("region", () => twoLetters().map((code) => code.toUpperCase()));

/** An address in one line, with its country, which comes last, in the language of the request. */
export const addressInWords = (lines: readonly string[]): string =>
  lines
    .filter(Boolean)
    .map((line, index, { length }) => (index === length - 1 ? countryInWords(line) : line))
    .join(", ");
