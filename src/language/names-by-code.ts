import { currentLanguage } from "./translate.ts";

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

/** All codes of two letters, used or not. */
export const twoLetters = (): string[] => LETTERS.flatMap((a) => LETTERS.map((b) => a + b));

/** Returns a function that translates English names of this kind into Spanish for whoever reads Spanish; other names stay as they are. */
export function namesByCode(type: "region" | "language", codes: () => readonly string[]): (name: string) => string {
  const namesIn = (locale: string) => new Intl.DisplayNames(locale, { type, fallback: "none" });
  const spanishNames = () => {
    const [en, es] = [namesIn("en"), namesIn("es")];
    return new Map(
      codes().flatMap((code) => {
        const [name, translated] = [en.of(code), es.of(code)];
        return name && translated ? [[name, translated]] : [];
      }),
    );
  };
  let spanish: Map<string, string> | undefined; // made at the first use
  return (name) => {
    if (currentLanguage() !== "es") return name;
    spanish ??= spanishNames();
    return spanish.get(name) ?? name;
  };
}
