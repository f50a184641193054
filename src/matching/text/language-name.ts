const LANGUAGES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** Returns the English name of a language by its code (BCP 47), or undefined for what is no such code. */
export function languageName(code: string): string | undefined {
  try {
    return LANGUAGES.of(code);
  } catch {
    return undefined;
  }
}
