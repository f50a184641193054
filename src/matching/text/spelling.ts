/**
 * Whether two words are forms of one word: singular and plural, two spellings of one sound, or a typing error inside a
 * long word. "Mary" and "Mark", "radiology" and "cardiology" are not: they differ in the first or last letter.
 */
export function soundsAlike(a: Spelt, b: Spelt): boolean {
  const [short, long] = a.text.length <= b.text.length ? [a, b] : [b, a];
  const more = long.text.length - short.text.length;
  if (short.text.length < 3 || more > MOST_DIFFERENCE) return false;
  if (more <= 2 && isPlural(short.text, long.text)) return short.text.length > 3;
  if (more === 1 && isSpelledOut(short.text, long.text)) return true;
  if (short.sound === long.sound) return short.sound.length >= 4;
  return !areFields(short.text, long.text) && isSlip(short.text, long.text, { moved: 6, changed: 9 });
}

/** Whether a slip of a key explains how two words of one place differ, though elsewhere they may be two: "Donus", "Donuts". */
export function mayBeSlip(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return !areFields(short, long) && isSlip(short, long, { moved: 4, changed: 6 });
}

/** "Hepatology" and "Hematology" differ by a letter, and are two departments. */
export const areFields = (a: string, b: string): boolean => FIELD.test(a) && FIELD.test(b);
const FIELD = /olog(?:y|ie|ia|iya|ii|i)$/;

/** Whether the long word only has a letter spelled out: "aeroe", which is "ærø" and normalized to "aero". */
function isSpelledOut(short: string, long: string): boolean {
  const at = commonStart(short, long);
  return short.length > 3 && /^[aou]e|^aa/.test(long.slice(at - 1)) && long.slice(at + 1) === short.slice(at);
}

/** Words whose lengths differ by more letters are two words. */
export const MOST_DIFFERENCE = 3;

export interface Spelt {
  text: string;
  sound: string;
}

const isPlural = (one: string, many: string): boolean =>
  many.endsWith("s") && many.startsWith(one) && (many.length === one.length + 1 || many.endsWith("es"));

/** Returns the approximate pronunciation of a word: one letter for all spellings of a sound. */
export function soundOf(word: string): string {
  return SOUNDS.reduce((text, [written, sound]) => text.replace(written, sound), word);
}

const SOUNDS: [RegExp, string][] = [
  [/ph/g, "f"],
  [/(?<=[a-z])re$/g, "er"],
  [/our/g, "or"],
  [/(?<=[aou])e(?=[^aeiou])/g, ""], // umlauts spelled out: "loewen"
  [/ck|c(?![eiyh])|q/g, "k"],
  [/x/g, "ks"],
  [/c(?=[eiy])|z/g, "s"],
  [/(?<=.)y(?=.)/g, "i"],
  [/(?<=[^aeioucs])h|h$/g, ""],
  [/(.)\1+/g, "$1"],
];

/** Whether a letter is added or two are swapped inside a word of at least `moved` letters, or one is changed in `changed`. */
function isSlip(short: string, long: string, least: { moved: number; changed: number }): boolean {
  if (short.length < least.moved || long.length - short.length > 1) return false;
  const from = commonStart(short, long);
  const behind = commonEnd(short, long, short.length - from);
  if (from === 0 || behind === 0) return false;
  const less = short.length - from - behind;
  const more = long.length - from - behind;
  if (less === 0) return more === 1;
  if (less === 2 && more === 2) return isSwapped(short, long, from);
  return less === 1 && more === 1 && short.length >= least.changed;
}

function commonStart(short: string, long: string): number {
  let count = 0;
  while (count < short.length && short.charCodeAt(count) === long.charCodeAt(count)) count++;
  return count;
}

function commonEnd(short: string, long: string, most: number): number {
  let count = 1;
  while (count <= most && short.charCodeAt(short.length - count) === long.charCodeAt(long.length - count)) count++;
  return count - 1;
}

const isSwapped = (one: string, other: string, at: number): boolean =>
  one.charCodeAt(at) === other.charCodeAt(at + 1) && one.charCodeAt(at + 1) === other.charCodeAt(at);
