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
  return short.sound === long.sound ? short.sound.length >= 4 : isSlip(short.text, long.text);
}

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

/** Whether a letter is added or two are swapped inside a word of at least six, or one is changed in at least nine. */
function isSlip(short: string, long: string): boolean {
  if (short.length < 6 || long.length - short.length > 1) return false;
  const from = commonStart(short, long);
  const behind = commonEnd(short, long, short.length - from);
  if (from === 0 || behind === 0) return false;
  const less = short.length - from - behind;
  const more = long.length - from - behind;
  if (less === 0) return more === 1;
  if (less === 2 && more === 2) return isSwapped(short, long, from);
  return less === 1 && more === 1 && short.length >= 9;
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
