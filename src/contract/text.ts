import { z } from "zod";
import { t } from "../language/translate.ts";
import { streamSafe } from "./stream-safe.ts";

/** One line of text: any run of white space, including line breaks, becomes one space. Otherwise like `textInLines`. */
export const text = (name: string, max: number) => cleanText(name, max, inOneLine);

const inOneLine = (value: string): string => value.replace(/\s+/g, " ");

/** Like `text`, for what is only searched: it may contain U+FFFD, which stands for a lost character. */
export const soughtText = (name: string, max: number) =>
  cleanText(name, max, inOneLine, (value) => hasForbiddenCharacter(value.replaceAll("\ufffd", "")));

/**
 * Text of several lines, trimmed, with LF for the CRLF that browsers send. Rejects control characters, also those
 * of text direction, lone surrogates and U+FFFD. `max` counts Unicode code points.
 */
export const textInLines = (name: string, max: number) =>
  cleanText(name, max, (value) => value.replace(/\r\n?/g, "\n"));

export const cleanText = (
  name: string,
  max: number,
  tidy: (value: string) => string,
  isForbidden: (value: string) => boolean = hasForbiddenCharacter,
) =>
  z
    .string()
    .transform((value) => tidy(PLAIN.test(value) ? value : streamSafe(value).normalize("NFC")).trim())
    .refine((value) => PLAIN.test(value) || !isForbidden(value), {
      error: ({ input }) => (String(input).includes("\ufffd") ? lost(name) : unstorable(name)),
      params: { rule: "storable" },
    })
    .refine((value) => value.length <= max || [...value].length <= max, {
      error: () => t("{name} may have at most {max} characters", { name, max }),
      params: { rule: "length" },
    })
    .meta({ maxLength: max });

const unstorable = (name: string) => t("{name} contains characters that cannot be stored", { name });

const lost = (name: string) =>
  t(
    "{name} contains characters that cannot be stored: U+FFFD stands for a lost character, replace it with the original one",
    { name },
  );

/** Most values. The other tests would take a fifth of the time in which a listing is read. */
const PLAIN = /^[\x20-\x7e]*$/;

export function hasForbiddenCharacter(value: string): boolean {
  return /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufffd]/u.test(value) || !value.isWellFormed();
}

/** Removes the invisible characters that hasForbiddenCharacter() finds. They are often copied along with text. */
export const withoutInvisible = (value: string): string =>
  PLAIN.test(value) ? value : value.replace(/(?!\s)\p{Cc}|[\u{202a}-\u{202e}\u{2066}-\u{2069}]|\p{Cs}/gu, "");
