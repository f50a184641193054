import { namesByCode, twoLetters } from "./names-by-code.ts";

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
