import fc from "fast-check";
import { repairText } from "../../src/matching/normalize/repair.ts";

const LETTERS =
  "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789 .,'’&+-/()#éèüöñçåøßœæłđěšžÉÜÇŠабвгдёйщыъяАБВЯαβγδέήςσΩאבגדהבּابتثجةىكيなにぬねのがパピプ中文字한국어กขค";

/** Text like names and addresses: letters of many scripts, digits and common signs, but nothing like mojibake. */
export const texts = fc
  .string({ unit: fc.constantFrom(...LETTERS), maxLength: 40 })
  .filter((text) => [text, text.toUpperCase(), text.toLowerCase(), text.normalize("NFC")].every(isSound));

/** Whether a text does not look like mojibake. */
export function isSound(text: string): boolean {
  return repairText(text) === text;
}

const windows1252 = new TextDecoder("windows-1252");

/** Decodes the text's UTF-8 as Windows-1252. */
export const read1252 = (text: string): string => windows1252.decode(new TextEncoder().encode(text));
