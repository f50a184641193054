import es from "./es.json" with { type: "json" };
import type { Language } from "./languages.ts";
import { currentLanguage } from "./translate.ts";

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

/** All codes of two letters, used or not. */
const twoLetters = (): string[] => LETTERS.flatMap((a) => LETTERS.map((b) => a + b));

/** Returns a function that translates English names of this kind into Spanish for whoever reads Spanish; other names stay as they are. */
function namesByCode(type: "region" | "language", codes: () => readonly string[]): (name: string) => string {
  const namesIn = (locale: string) => new Intl.DisplayNames(locale, { type, fallback: "none" });
  const spanishNames = () => {
    const en = namesIn("en");
    const es = namesIn("es");
    return new Map(
      codes().flatMap((code) => {
        const name = en.of(code);
        const translated = es.of(code);
        return name && translated ? [[name, translated]] : [];
      }),
    );
  };
  let spanish: Map<string, string> | undefined; // made at the first use
  return (name) => {
    if (currentLanguage() !== "es") return name;
    spanish ??= spanishNames();
    return spanish.get(name) ?? name;
  };
}

/** Translates the English name of a country, as our directory writes it. */
export const countryInWords = namesByCode("region", () => twoLetters().map((code) => code.toUpperCase()));

/** An address in one line, with its country, which comes last, in the language of the request. */
export const addressInWords = (lines: readonly string[]): string =>
  lines
    .filter(Boolean)
    .map((line, index, { length }) => (index === length - 1 ? countryInWords(line) : line))
    .join(", ");

/** Codes of three letters in which places are named. To try all of them takes a second. */
const LONGER =
  "ast ban bar bho bug ceb chr ckb cop csb dsb fil frp fur gan gsw hak haw hsb kab kok lij lmo lzh mai mni nan nap nds pap pms rup sah sat scn sco se szl tzm vec wuu yue zgh".split(
    " ",
  );
/** Variants that names of places are given in. */
const VARIANTS = ["Hans", "Hant", "Latn", "Cyrl", "Arab"];
const DIALECTS = "en-GB en-US fr-CA fr-CH pt-BR pt-PT es-ES es-MX es-419 de-AT de-CH zh-CN zh-HK zh-TW nl-BE".split(
  " ",
);

/** Translates the English name of a language, as reasons for a match have it. */
export const languageInWords = namesByCode("language", () => {
  const codes = [...twoLetters(), ...LONGER];
  return [...codes, ...codes.flatMap((code) => VARIANTS.map((variant) => `${code}-${variant}`)), ...DIALECTS];
});

const NAMES: Partial<Record<Language, ReadonlyMap<string, string>>> = {
  es: new Map(Object.entries(es.categories)),
};

/** Translates the English name of a category. Names that our directory does not have stay as they are. */
export function categoryName(name: string): string {
  const language = currentLanguage();
  return language === "en-XA" ? `⟦${name}⟧` : (NAMES[language]?.get(name) ?? name);
}
