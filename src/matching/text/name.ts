import { latinOf } from "../normalize/latin.ts";
import { normalizeName } from "../normalize/normalize.ts";
import { translateKinds } from "../normalize/place-kinds.ts";
import { isAscii } from "../normalize/repair.ts";
import { spellOut } from "../normalize/short-words.ts";
import { withoutStoreNumber } from "../normalize/store-number.ts";
import { spellTowns, withoutBranch } from "./chinese-name.ts";
import { allTrigramsOf, words as wordsOf } from "./similarity.ts";

/** A name as it is compared (`nameOf`). `trigrams`: all, with repetitions. */
export interface Name {
  words: string[];
  trigrams: number[];
}

/** Whether a name has letters that are not Latin. */
export const isInOtherScript = (name: string): boolean => !isAscii(name) && IS_NOT_LATIN.test(name);
const IS_NOT_LATIN = /(?!\p{Script=Latin})\p{L}/u;

/**
 * Normalizes a name for comparison: in Latin letters, kinds of place in English, abbreviations unified ("saint" and
 * "street" are both "st"), without branch and store number.
 */
export function nameOf({ name, nameNorm }: { name: string; nameNorm?: string | undefined }): Name {
  const own = withoutStoreNumber(name);
  const plain = isAscii(own) ? own : withoutBranch(own);
  const normalized = nameNorm !== undefined && plain === name ? nameNorm : normalizeName(plain);
  const latin = isAscii(normalized) ? normalized : latinOf(translateKinds(spellTowns(normalized)));
  const joined = PHRASE.test(latin)
    ? PHRASES.reduce((text, [phrase, word]) => text.replace(phrase, word), latin)
    : latin;
  const words = wordsOf(joined);
  const spelled = spellOut(words);
  return { words: spelled, trigrams: allTrigramsOf(spelled === words ? joined : spelled.join(" ")) };
}

/** What several words say together, and how it is compared. */
const PHRASES: [RegExp, string][] = [
  [/\bcar park\b/g, "carpark"],
  [/\btake away\b/, "takeaway"],
  [
    /\b(?:rent a car|car rentals?|car hire|location de voitures|alquiler de (?:autos|carros|coches)|aluguel de carros)\b/g,
    "carrental",
  ],
  [/(?<=\w )h ?s$/, "high school"],
  [/\bp ?s (?=\d)/, "public school "],
  [/(?<=\w (?:elementary|elem|middle|primary|secondary))$/, " school"],
  [/\bkentucky fried chicken\b/, "kfc"],
  [/^m and s\b/, "marks and spencer"],
  [/(?<=\w )sp z oo$/, "ltd"],
  [/ [ey] (?=(?:hij|filh)[ao]s$)/, " "],
  [/(?<=\w )rest\b(?! (?:area|haven|home|house|room|stop))/, "restaurant"],
];
const PHRASE =
  /^(?:m and s\b|p ?s \d)| (?:park|car|carros|coches|autos|rentals?|hire|voitures|h?s|p ?s \d+|elem(?:entary)?|middle|primary|secondary|fried|away|hijos|filhos|oo|rest)\b/;
