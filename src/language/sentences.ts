import es from "./es.json" with { type: "json" };
import { formatTenths } from "./format.ts";
import type { Catalogue, Language } from "./languages.ts";
import { languageInWords } from "./names.ts";
import { currentLanguage } from "./translate.ts";

interface Translation {
  pattern: RegExp;
  names: string[];
  translated: string;
}

/**
 * Returns a function that translates finished English sentences, which were stored, or made by a program or thread that does not
 * know the reader's language. The keys of the catalogues have arguments, such as {km}, as places for anything; {sentence} is
 * translated too. The first key that fits counts, so the special ones come before the general. Other texts stay as they are.
 */
function sentencesOf(catalogues: Partial<Record<Language, Catalogue>>): (text: string) => string {
  const translations = new Map(
    Object.entries(catalogues).map(([language, catalogue]) => [language, Object.entries(catalogue).map(translationOf)]),
  );
  const translate = (text: string): string => {
    const language = currentLanguage();
    if (language === "en-XA") return `⟦${text}⟧`;
    for (const { pattern, names, translated } of translations.get(language) ?? []) {
      const [whole, ...values] = pattern.exec(text) ?? [];
      if (whole === undefined) continue;
      return translated.replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = values[names.indexOf(name)] ?? "";
        return name === "sentence" ? translate(value) : shown(name, value);
      });
    }
    return text;
  };
  return translate;
}

function translationOf([text, translated]: [string, string]): Translation {
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const literal = text.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return { pattern: new RegExp(`^${literal.replace(/\{\w+\}/g, "(.+)")}$`, "su"), names, translated };
}

function shown(name: string, value: string): string {
  if (name === "language") return languageInWords(value);
  return name === "km" && value.includes(".") ? formatTenths(Number(value)) : value;
}

/**
 * Translates a reason for a match, as our directory words it in English. Other texts stay as they are: a directory may say
 * what it likes.
 */
export const reasonInWords = sentencesOf({ es: es.reasons });

/** Translates the usual words of an attribution, but no name and no licence. Downloads carry it as its source wrote it. */
export const creditInWords = sentencesOf({ es: es.credits });

/** Translates why a file cannot be used. The text is made by the process that reads files, and may have been stored. */
export const refusalInWords = sentencesOf({ es: es.refusals });
