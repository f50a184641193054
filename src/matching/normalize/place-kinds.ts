import { inOneWord, LEGAL_FORMS, TRADES_BY_KIND } from "./chinese.ts";
import { latinOf } from "./latin.ts";
import { normalizeName } from "./normalize.ts";
import tables from "./place-kinds.json" with { type: "json" };
import { isAscii } from "./repair.ts";

/** Scripts with few or no spaces between words. */
export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Thai}]/u;

/**
 * Words of names, by the kind of place they stand for. "Inn" stands for two: lodging and bar. Names that differ by such
 * words differ in kind, and a name with an extra one is often that of a part or a neighbour: "X Car Park". Words that
 * are not in Latin letters are translated to the first, English word of the kind.
 */
const KINDS_AND_WORDS = tables.kinds;

/** "firm": what a firm does, as Chinese names say it. */
type PlaceKind = keyof typeof KINDS_AND_WORDS | "firm";

const NAMES_OF_KINDS = [...Object.keys(KINDS_AND_WORDS), "firm"];

const bitOf = (kind: PlaceKind): number => 1 << NAMES_OF_KINDS.indexOf(kind);

const bitsOf = (...kinds: PlaceKind[]): number => kinds.reduce((bits, kind) => bits | bitOf(kind), 0);

/** What is done there, which a name may state or omit: "Blue Door", "Blue Door Cafe". */
export const TRADES = bitsOf("food", "cuisine", "coffee", "bar", "lodging", "shop", "hair", "craft");

/** All that a name may state or omit: trades, and "Pharmacy" or "Bank" as in "CVS Pharmacy", "Union Bank". */
export const LEFT_OUT = TRADES | bitsOf("pharmacy", "bank", "firm");

/** Trades that words of one kind tell alike: "Bistro" and "Grill", but not "Tailor" and "Butcher". */
export const TELLING_TRADES = bitsOf("food", "cuisine", "coffee", "bar", "hair", "pharmacy");

/** What one place may serve, and name in any combination. */
export const OF_ONE_MEAL = bitsOf("food", "cuisine", "coffee", "bar");

/** What stores and hospitals have in the same building, under their name. */
export const DEPARTMENTS = bitsOf("service", "fuel", "bank", "pharmacy", "health", "post");

/** Places with departments: the extra word of "X University Bookstore" names one of "X University". */
export const INSTITUTIONS = bitsOf("health", "school", "worship", "culture", "sport", "mall", "lodging", "park");

/** Places with rooms, wards, shops or platforms under their name: the extra word of "X Tower Ballroom" names one. */
export const CONTAINERS = INSTITUTIONS | bitsOf("office", "residence", "transit", "parking", "bank", "post");

/** What a branch is called after, and no shop has inside. */
export const PUBLIC_PLACES = bitsOf("transit", "mall", "street");

/** What belongs to a place and bears its name, but is hardly ever meant by that: "X ATM", "X Car Park". */
export const BELONGINGS = bitsOf("machine", "entrance", "parking");

/** What Chinese firms do. Names that differ by it are those of two firms, however alike else. */
export const FIRMS = bitsOf("firm");

/** Transit stops in front of a place, with its name. A listing of an airport may mean its tram stop. */
export const STOPS = bitsOf("stop");

/** Returns the kinds of place of a normalized word in Latin letters, one bit each; 0 for any other word. */
export const kindsOfWord = (word: string): number => KINDS.get(word) ?? 0;

const KINDS = new Map<string, number>();

/** The English translation of each word in an UNSPACED script. */
const TRANSLATIONS = new Map<string, string>();

/** The English translation of each word in any other script but Latin. */
const WORDS_ABROAD = new Map<string, string>();
const NOT_LATIN = /(?!\p{Script=Latin})\p{L}/u;

for (const [kind, list] of Object.entries(KINDS_AND_WORDS)) {
  const [english = "", ...others] = list.map(normalizeName);
  for (const word of [english, ...others])
    if (UNSPACED.test(word)) TRANSLATIONS.set(word, english);
    else if (NOT_LATIN.test(word)) WORDS_ABROAD.set(word, english);
    else KINDS.set(latinOf(word), kindsOfWord(latinOf(word)) | bitOf(kind as PlaceKind));
}

for (const [kind, words] of TRADES_BY_KIND)
  for (const word of words) {
    const own = inOneWord(word);
    TRANSLATIONS.set(word, own);
    KINDS.set(own, kindsOfWord(own) | bitOf(kind as PlaceKind));
  }

/** Words anywhere in a name; those of one character only before a word break. Longer ones come first. */
const TRANSLATED = new RegExp(
  [...TRANSLATIONS.keys()]
    .sort((a, b) => b.length - a.length)
    .map((word) => (word.length > 1 ? word : `${word}(?!\\p{L})`))
    .join("|"),
  "gu",
);

/**
 * Translates the words for kinds of place in a normalized name to English, unless its script is Latin. In UNSPACED
 * scripts they are found inside the text: after romanization, syllable by syllable, they would not be recognized.
 */
export function translateKinds(nameNorm: string): string {
  if (isAscii(nameNorm) || !NOT_LATIN.test(nameNorm)) return nameNorm;
  if (!UNSPACED.test(nameNorm)) {
    const wordIn = (word: string) => WORDS_ABROAD.get(word) ?? WORDS_ABROAD.get(word.replace(/^ال/, "")) ?? word;
    const phrased = nameNorm.replace(HEBREW_HOUSES, (_, what: string) => HOUSES[what] ?? "");
    return phrased.split(" ").map(wordIn).join(" ");
  }
  const translated = nameNorm
    .replace(LEGAL, " ")
    .replace(TRANSLATED, (word) => ` ${TRANSLATIONS.get(word)} `)
    .trim();
  return translated || nameNorm;
}

/** Kinds of place that Hebrew calls "house of" something. */
const HOUSES: Record<string, string> = {
  ...{ קפה: "cafe", ספר: "school", חולים: "hospital", מרקחת: "pharmacy", כנסת: "synagogue" },
};
const HEBREW_HOUSES = new RegExp(`(?<!\\p{L})בית (${Object.keys(HOUSES).join("|")})(?!\\p{L})`, "gu");

/** Legal forms in Chinese, Japanese, Korean and Thai; also those in brackets, of which one sign is left: (株), ㈜. */
export const LEGAL = new RegExp(
  `${LEGAL_FORMS}|株式会社|有限会社|合同会社|주식회사|บริษัท|จำกัด|(?<!\\p{L})[株주](?!\\p{L})`,
  "gu",
);

/** What is left of a text in an UNSPACED script without kinds of place and legal forms. */
export const withoutKinds = (text: string): string => text.replace(LEGAL, "").replace(TRANSLATED, "");

/** Whether a text in an UNSPACED script ends with a kind of place or a legal form. */
export const isOfKind = (text: string): boolean => ENDS_WITH_KIND.test(text);
const ENDS_WITH_KIND = new RegExp(`(?:${TRANSLATED.source}|${LEGAL.source})$`, "u");

/** Whether a text in an UNSPACED script has a word for a trade: "大学城店" is a branch, "水果店" is none. */
export const namesTrade = (text: string): boolean =>
  text.match(TRANSLATED)?.some((word) => (kindsOfWord(TRANSLATIONS.get(word) ?? "") & LEFT_OUT) !== 0) ?? false;

/** Whether a word is an article, a preposition, a legal form or the like, which names gain and lose. */
export const isFiller = (word: string): boolean => FILLERS.has(word);

const FILLERS = new Set(tables.fillers);
