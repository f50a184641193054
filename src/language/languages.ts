import Negotiator from "negotiator";

/** Languages of the pages, by code, each under its own name. */
export const LANGUAGES = { en: "English", es: "Español" } as const;

/** `en-XA` is the pseudo-language of translators: each translated text is in brackets, so text left out shows. */
export type Language = keyof typeof LANGUAGES | "en-XA";

/** How the readers of a region write dates and the clock; the first of a language for those who name none of them. */
const LOCALES: Record<Language, readonly [string, ...string[]]> = {
  en: ["en-GB", "en-US", "en-CA", "en-AU", "en-NZ", "en-IE", "en-IN", "en-ZA"],
  "en-XA": ["en-GB"],
  es: ["es", "es-MX", "es-AR", "es-CO", "es-CL", "es-PE", "es-US"],
};

/** Returns the locale of `Accept-Language` in this language that is known here. */
export const localeOf = (language: Language, accepted?: string): string =>
  new Negotiator({ headers: { "accept-language": accepted } })
    .languages()
    .flatMap((wanted) => LOCALES[language].filter((locale) => locale.toLowerCase() === wanted.toLowerCase()))[0] ??
  LOCALES[language][0];

/** Translations by text in the source language. */
export type Catalogue = Readonly<Record<string, string>>;

/** The language that texts are written in. */
export const SOURCE_LANGUAGE: Language = "en";

/** Returns the chosen language if it is offered, else the best of `Accept-Language` (RFC 9110, 12.5.4), else the first offered. */
export function negotiate(
  offered: readonly [Language, ...Language[]],
  { chosen, accepted }: { chosen: string | undefined; accepted: string | undefined },
): Language {
  const own = offered.find((language) => language === chosen);
  const headers = { "accept-language": accepted };
  const best = () => new Negotiator({ headers }).language([...offered]);
  return own ?? offered.find((language) => language === best()) ?? offered[0];
}
