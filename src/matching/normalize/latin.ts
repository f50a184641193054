import anyAscii from "any-ascii";
import { isAscii } from "./repair.ts";

/**
 * Romanizes a normalized name: "москва" becomes "moskva", "東京" "dong jing" (Mandarin), "كوفي" "kofi". What sounds the
 * same in two scripts becomes similar, not equal: Arabic and Hebrew, for example, omit vowels.
 */
export function latinOf(nameNorm: string): string {
  if (isAscii(nameNorm)) return nameNorm;
  const spelled = SPELLINGS.reduce((text, { script, spell }) => (script.test(text) ? spell(text) : text), nameNorm);
  return anyAscii(spelled)
    .toLowerCase()
    .replace(/['`]/g, "")
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}

/** What depends on neighbouring letters: any-ascii converts each letter on its own. */
const SPELLINGS: { script: RegExp; spell: (text: string) => string }[] = [
  { script: /\p{Script=Han}/u, spell: (text) => text.replace(/\p{Script=Han}/gu, (char) => ` ${anyAscii(char)} `) },
  { script: /[ぁ-ゖ]/, spell: spellKana },
  { script: /[α-ω]/, spell: spellGreek },
  { script: /[א-ת]/, spell: spellHebrew },
  { script: /[ا-ي]/, spell: spellArabic },
];

function spellKana(text: string): string {
  return text
    .replace(/([ぁ-ゖ])([ゃゅょぁぃぅぇぉ])/g, (_, kana: string, small: string) => {
      const onset = anyAscii(kana).slice(0, -1) || "w";
      const vowel = anyAscii(small);
      return onset + (/sh|ch|j/.test(onset) ? vowel.slice(-1) : vowel); // shi + ya: sha
    })
    .replace(/っ([a-zぁ-ゖ])/g, (_, next: string) => anyAscii(next).slice(0, 1) + next);
}

function spellGreek(text: string): string {
  return text
    .replace(/ου/g, "ou")
    .replace(/([αε])υ/g, "$1v")
    .replace(/(?<!\p{L})μπ/gu, "b")
    .replace(/(?<!\p{L})ντ/gu, "d")
    .replace(/γγ/g, "ng");
}

function spellHebrew(text: string): string {
  return text
    .replace(/(?<!\p{L})[בכפו]/gu, (letter) => HEBREW_FIRST[letter] ?? letter)
    .replace(/[אויע]/g, (letter) => HEBREW_VOWELS[letter] ?? letter);
}

const HEBREW_FIRST: Record<string, string> = { ב: "b", כ: "k", פ: "p", ו: "v" };
const HEBREW_VOWELS: Record<string, string> = { א: "a", ו: "o", י: "i", ע: "a" };

function spellArabic(text: string): string {
  return text
    .replace(/(?<!\p{L})ال(?=\p{L})/gu, "al ")
    .replace(/(?<=\p{L})[وي]/gu, (letter) => (letter === "و" ? "o" : "i"))
    .replace(/[اع]/g, "a");
}
