import { currentLanguage } from "./translate.ts";

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const namesIn = (locale: string) => new Intl.DisplayNames(locale, { type: "region", fallback: "none" });

/** Spanish by English names, made at the first use. */
let spanish: Map<string, string> | undefined;

function spanishNames(): Map<string, string> {
  const [en, es] = [namesIn("en"), namesIn("es")];
  const codes = LETTERS.flatMap((a) => LETTERS.map((b) => a + b));
  return new Map(
    codes.flatMap((code) => {
      const [name, translated] = [en.of(code), es.of(code)];
      return name && translated ? [[name, translated]] : [];
    }),
  );
}

/** Translates the English name of a country, as our directory writes it. Other names stay as they are. */
export function countryInWords(name: string): string {
  if (currentLanguage() !== "es") return name;
  spanish ??= spanishNames();
  return spanish.get(name) ?? name;
}

/** An address in one line, with its country, which comes last, in the language of the request. */
export const addressInWords = (lines: readonly string[]): string =>
  lines
    .filter(Boolean)
    .map((line, index, { length }) => (index === length - 1 ? countryInWords(line) : line))
    .join(", ");
