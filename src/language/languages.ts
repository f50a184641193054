import Negotiator from "negotiator";

/** Languages of the pages, by code, each under its own name. */
export const LANGUAGES = { en: "English", es: "Español" } as const;

/** `en-XA` is the pseudo-language of translators: each translated text is in brackets, so text left out shows. */
export type Language = keyof typeof LANGUAGES | "en-XA";

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
