import es from "./es.json" with { type: "json" };
import type { Language } from "./languages.ts";
import { currentLanguage } from "./translate.ts";

const NAMES: Partial<Record<Language, ReadonlyMap<string, string>>> = {
  es: new Map(Object.entries(es.categories)),
};

/** Translates the English name of a category. Names that our directory does not have stay as they are. */
export function categoryName(name: string): string {
  const language = currentLanguage();
  return language === "en-XA" ? `⟦${name}⟧` : (NAMES[language]?.get(name) ?? name);
}
