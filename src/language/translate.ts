import { AsyncLocalStorage } from "node:async_hooks";
import { IntlMessageFormat } from "intl-messageformat";
import es from "./es.json" with { type: "json" };
import { escapeHtml, type Html } from "./html.ts";
import { type Catalogue, type Language, localeOf, SOURCE_LANGUAGE } from "./languages.ts";

type Values = Record<string, string | number | Date>;

const CATALOGUES: Partial<Record<Language, Catalogue>> = { es: es.texts };

const current = new AsyncLocalStorage<{ language: Language; locale: string }>();

/** Runs `work`, and what it starts, in a language, with the dates and the clock of a locale. */
export const inLanguage = <R>(language: Language, work: () => R, locale = localeOf(language)): R =>
  current.run({ language, locale }, work);

export const currentLanguage = (): Language => current.getStore()?.language ?? SOURCE_LANGUAGE;

export const currentLocale = (): string => current.getStore()?.locale ?? localeOf(SOURCE_LANGUAGE);

/**
 * Translates a text into the language of the request; without one, or without a translation, into English.
 * @param text in ICU message syntax, always literal, as it is the key of the catalogues
 * @param values of its arguments
 */
export const t = (text: string, values?: Values): string => String(messageOf(text).format(values));

/** Like t() for a text with HTML, for `<%~ %>`. Escapes the values but those that are Html, and not the text. */
export const tHtml = (text: string, values: Record<string, Values[string] | Html> = {}): string =>
  t(text, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escaped(value)])));

function escaped(value: Values[string] | Html): Values[string] {
  if (typeof value === "string") return escapeHtml(value);
  return typeof value === "object" && "html" in value ? value.html : value;
}

/** Parsed messages by language; not more than there are literals. */
const parsed = new Map<Language, Map<string, IntlMessageFormat>>();

function messageOf(text: string): IntlMessageFormat {
  const language = currentLanguage();
  const known = parsed.get(language) ?? new Map<string, IntlMessageFormat>();
  parsed.set(language, known);
  const message =
    known.get(text) ?? new IntlMessageFormat(translated(text, language), language, undefined, { ignoreTag: true });
  known.set(text, message);
  return message;
}

const translated = (text: string, language: Language): string =>
  language === "en-XA" ? `⟦${text}⟧` : (CATALOGUES[language]?.[text] ?? text);
