import { streamSafe } from "../contract/stream-safe.ts";

/**
 * A name as it is compared and indexed (`venue.name_norm`): lower case, without accents and punctuation, words split
 * by one space. Letters of other scripts stay as they are. "Dunkin' Donuts & Co." becomes "dunkin donuts and co".
 *
 * The index holds what this makes of every name, so a change here needs a migration that writes the column again.
 */
export function normalizeName(name: string): string {
  return fold(name)
    .replace(/['’‘`´ʼ]/g, "") // dunkin' and dunkin are one word, o'brien and obrien too
    .replace(/&|(?<=\s)\+(?=\s)/g, " and ")
    .replace(NOT_A_WORD, " ")
    .trim();
}

/** The words of an address as they are compared: folded, split, with the usual short forms made one ("st", "ave"). */
export function addressWords(address: string): string[] {
  const words = fold(address).replace(/['’.]/g, "").replace(NOT_A_WORD, " ").trim().split(" ").filter(Boolean);
  return words.map((word) => SHORT_FORMS.get(word) ?? word);
}

/**
 * The house number or range of an address, before or behind the street ("17 Street", "Street, 17", "17-19 Street").
 * Both ends are the same for a single number; undefined when there is none. Numbers of suites, floors and streets
 * ("5th Ave", "Suite 200", "#4") are not house numbers.
 */
export function houseNumber(address: string): { from: number; to: number } | undefined {
  const plain = fold(address).replace(
    /(?:\b(?:ste|suite|unit|apt|fl|floor|level|rm|room|bldg|box)\b\.?|#)\s*[\w-]+/g,
    " ",
  );
  const [, from, to] = /(?:^|[\s,])(\d{1,5})[a-z]?(?:\s?[-/]\s?(\d{1,5})[a-z]?)?(?=$|[\s,])/.exec(plain) ?? [];
  if (!from) return undefined;
  const first = Number(from);
  const last = Number(to ?? from);
  return last > first && last - first < 200 ? { from: first, to: last } : { from: first, to: first };
}

/**
 * What two ways to write one phone number have in common: its last eight digits, with or without country code, trunk
 * zero and extension. Undefined for less than seven digits, and for toll-free numbers, which many venues share.
 */
export function phoneKey(phone: string): string | undefined {
  const [number = ""] = streamSafe(phone)
    .normalize("NFKC")
    .split(/ext|x|;|,|\/\s/i);
  const digits = number.replace(/[^0-9]/g, "").replace(/^00/, "");
  const national = digits.replace(/^1(?=\d{10}$)/, "");
  if (digits.length < 7 || /^(800|888|877|866|855|844|833|0800|0808)/.test(national)) return undefined;
  return digits.slice(-8);
}

const NOT_A_WORD = /[^\p{L}\p{N}\p{M}]+/gu;

/** Lower case without accents; "ß" and "œ" spelled out; full-width forms made plain. */
function fold(text: string): string {
  return streamSafe(text)
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "") // accents only: in other scripts combining signs are letters
    .normalize("NFC")
    .toLowerCase()
    .replace(/[ßœæøłđ]/g, (letter) => SPELLED_OUT[letter] ?? letter);
}

const SPELLED_OUT: Record<string, string> = { ß: "ss", œ: "oe", æ: "ae", ø: "o", ł: "l", đ: "d" };

const SHORT_FORMS = new Map(
  Object.entries({
    street: "st",
    saint: "st",
    avenue: "ave",
    av: "ave",
    road: "rd",
    boulevard: "blvd",
    blv: "blvd",
    drive: "dr",
    lane: "ln",
    place: "pl",
    square: "sq",
    court: "ct",
    highway: "hwy",
    route: "rte",
    parkway: "pkwy",
    terrace: "ter",
    turnpike: "tpke",
    north: "n",
    south: "s",
    east: "e",
    west: "w",
    first: "1st",
    second: "2nd",
    third: "3rd",
  }),
);
