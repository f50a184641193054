import { currentLanguage } from "./translate.ts";

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
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

const namesIn = (locale: string) => new Intl.DisplayNames(locale, { type: "language", fallback: "none" });

/** Spanish by English names, made at the first use. */
let spanish: Map<string, string> | undefined;

function spanishNames(): Map<string, string> {
  const [en, es] = [namesIn("en"), namesIn("es")];
  const twos = LETTERS.flatMap((a) => LETTERS.map((b) => a + b));
  const known = [...twos, ...LONGER].filter((code) => en.of(code));
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
