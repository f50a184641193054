import { normalizeName } from "../../../matching/normalize/normalize.ts";
import { words } from "../../../matching/text/similarity.ts";

export interface TermWord {
  text: string;
  /** Other forms, such as `st` for `street`. */
  same: readonly string[];
  likely: readonly string[];
  isPrefix: boolean;
}

/** Words that people add to and omit from names. They have little weight and are not searched. */
const FILLERS = new Set("the and of a an in on at by to for near de la le el inc llc co".split(" "));

/** Too common in addresses to search for. */
const OF_STREETS = new Set(
  "st street ave avenue av rd road dr drive blvd ln lane ct pl hwy n s e w north south east west".split(" "),
);

export const isFiller = (word: string): boolean => FILLERS.has(word);

export const isOfStreets = (word: string): boolean => OF_STREETS.has(word);

const LONGEST = 60;

/** Returns the words without fillers, or all if there are only fillers. */
export function tellingWords(text: string): string[] {
  const all = [...new Set(words(normalizeName(text)).map((word) => word.slice(0, LONGEST)))];
  const telling = all.filter((word) => !FILLERS.has(word));
  return telling.length > 0 ? telling : all;
}

export function termWord(text: string): TermWord {
  const singular = text.length >= 5 && /[^s]s$/.test(text) ? [text.slice(0, -1)] : [];
  return { text, same: [...(SAME.get(text) ?? []), ...singular], likely: [], isPrefix: text.length >= 3 };
}

/** "Barnes & Noble" equals "barnes noble". Must match the SQL function directory.venue_words. */
export const squash = (nameNorm: string): string =>
  words(nameNorm)
    .filter((word) => word !== "and" && word !== "the")
    .join("");

const SAME = new Map<string, string[]>();
const GROUPS = `st street saint|ste sainte|ave avenue av|rd road|blvd boulevard|dr drive doctor|ln lane|pl place|plz plaza|
  sq square|ct court|hwy highway|rte route rt|pkwy parkway|ter terrace|tpke turnpike|n north|s south|e east|w west|
  mt mount|ft fort|ctr center centre|univ university|coll college|hosp hospital|libr library|elem elementary|
  schl school sch|hm home|svc service services|intl international|natl national|dept department|assn association|
  bros brothers|jr junior|mkt market|co company|theatre theater|donut doughnut|donuts doughnuts|grill grille|
  shop shoppe|bbq barbecue barbeque|mgmt management|rest restaurant|apts apartments|bldg building|gdns gardens|
  1 one|2 two|3 three|4 four|5 five|6 six|7 seven|8 eight|9 nine|10 ten|
  1st first|2nd second|3rd third|4th fourth|5th fifth|6th sixth|7th seventh|8th eighth|9th ninth|10th tenth`;
for (const group of GROUPS.split("|").map((each) => each.trim().split(/\s+/)))
  for (const word of group) SAME.set(word, [...(SAME.get(word) ?? []), ...group.filter((other) => other !== word)]);
