import { z } from "zod";
import { t } from "../language/translate.ts";

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

/** Keeps at most 30 combining marks in a row (UAX #15, "Stream-Safe Text Format"): sorting them is quadratic (attacks C28). */
export const streamSafe = (text: string): string => text.replace(/(\p{M}{30})\p{M}+/gu, "$1");

/** Replaces the digits of all scripts with ASCII digits. */
export const plainDigits = (text: string): string =>
  text.replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitValue(digit)));

/** Removes everything but ASCII digits. */
export const digitsOf = (text: string): string => text.replace(/\D/g, "");

/** In Unicode, the digits of a script are consecutive, from 0 to 9. Some scripts directly follow one another. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return before % 10;
}
