import { currentLanguage } from "./translate.ts";

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
/** Variants that names of places are given in. */
const VARIANTS = ["Hans", "Hant", "Latn", "Cyrl", "Arab"];
const DIALECTS = "en-GB en-US fr-CA fr-CH pt-BR pt-PT es-ES es-MX es-419 de-AT de-CH zh-CN zh-HK zh-TW nl-BE".split(
  " ",
);

const namesIn = (locale: string) => new Intl.DisplayNames(locale, { type: "language", fallback: "none" });

/** Spanish by English names, made at the first use. */
let spanish: Map<string, string> | undefined;

function spanishNames(): Map<string, string> {
  const [en, es] = [namesIn("en"), namesIn("es")];
  const twos = LETTERS.flatMap((a) => LETTERS.map((b) => a + b));
  const known = [...twos, ...twos.flatMap((code) => LETTERS.map((c) => code + c))].filter((code) => en.of(code));
  const variants = known.flatMap((code) => VARIANTS.map((variant) => `${code}-${variant}`));
  return new Map(
    [...known, ...variants, ...DIALECTS].flatMap((code) => {
      const [name, translated] = [en.of(code), es.of(code)];
      return name && translated ? [[name, translated]] : [];
    }),
  );
}

/** Translates the English name of a language, as reasons for a match have it. Other names stay as they are. */
export function languageInWords(name: string): string {
  if (currentLanguage() !== "es") return name;
  spanish ??= spanishNames();
  return spanish.get(name) ?? name;
}
