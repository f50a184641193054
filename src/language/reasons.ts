import { reasons } from "./es/reasons.ts";
import { formatTenths } from "./format.ts";
import type { Language } from "./languages.ts";
import { currentLanguage } from "./translate.ts";

interface Translation {
  pattern: RegExp;
  names: string[];
  translated: string;
}

const TRANSLATIONS: Partial<Record<Language, Translation[]>> = {
  es: Object.entries(reasons).map(([text, translated]) => translationOf(text, translated)),
};

/**
 * Translates a reason for a match, as our directory words it in English. Other texts stay as they are: a directory may say
 * what it likes.
 */
export function reasonInWords(text: string): string {
  const language = currentLanguage();
  if (language === "en-XA") return `⟦${text}⟧`;
  for (const { pattern, names, translated } of TRANSLATIONS[language] ?? []) {
    const [whole, ...values] = pattern.exec(text) ?? [];
    if (whole !== undefined)
      return translated.replace(/\{(\w+)\}/g, (_, name: string) => shown(name, values[names.indexOf(name)]));
  }
  return text;
}

/** The text with its arguments, such as {km}, as places for anything. */
function translationOf(text: string, translated: string): Translation {
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const pattern = new RegExp(`^${text.replace(/\{\w+\}/g, "(.+)")}$`, "su");
  return { pattern, names, translated };
}

const shown = (name: string, value = ""): string =>
  name === "km" && value.includes(".") ? formatTenths(Number(value)) : value;
