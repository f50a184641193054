import tables from "./normalize/extra-words.json" with { type: "json" };
import {
  CONTAINERS,
  kindsOfWord,
  OF_ONE_MEAL,
  PUBLIC_PLACES,
  TELLING_TRADES,
  UNSPACED,
} from "./normalize/place-kinds.ts";
import type { Prepared, Spot } from "./prepare.ts";
import { nameOf } from "./text/name.ts";
import { soundOf, soundsAlike } from "./text/spelling.ts";
import { type Word, wordOf } from "./text/word.ts";

/** What the names of other places nearby tell. */
export interface OtherNames {
  /** Whether some end in a word, as those with the name of a town or quarter do. */
  endsNames: (word: string, base: Prepared) => boolean;
  /** Whether one consists of these words. */
  isName: (words: readonly Word[]) => boolean;
}

/** The name that has words more, the other one, and which of both is the venue's. */
export interface Names {
  full: Prepared;
  base: Prepared;
  venue: Prepared;
}

/** What `addsNothing` says of words that only one name has. */
export function addsNothingOf(extra: readonly Word[], names: Names, others: OtherNames): number {
  if (addNothing(extra, names, others)) return 1;
  if (tellBranch(extra, names, others)) return 0.75;
  return areOfNoKind(extra, names) ? 0.5 : 0;
}

/**
 * Whether words that only one name has leave no doubt that both are one place. A trade says so only if it is that of the whole
 * place: what is a cafe in one name may be inside the shop that the other one names.
 */
function addNothing(extra: readonly Word[], names: Names, others: OtherNames): boolean {
  const { full, base, venue } = names;
  const category = categoryOf(venue.record.category ?? "");
  const isOfCategory = (word: Word) => category !== undefined && confirms(category, word);
  const isConfirmed = (word: Word) => base === venue && isOfCategory(word);
  if (category?.isContainer && extra.some(({ kinds }) => kinds !== 0)) return extra.every(isConfirmed);
  const ofChain = chainOf(base);
  const mayHaveInside = WHOLES.has(keyOf(base)) || (!isChain(base) && (base.kinds & CONTAINERS) !== 0);
  const isNew = NEW.test(full.name);
  return extra.every(
    (word) =>
      isConfirmed(word) ||
      isEnding(word) ||
      ofChain?.has(word.text) ||
      (TRADES.has(word.text) && !mayHaveInside && (!category || isOfCategory(word))) ||
      (isOfSameMeal(word, base) && !mayHaveInside) ||
      (isNew && word === full.words[1]) ||
      isTown(word, names, others),
  );
}

const NEW =
  /^(?:the new|de nieuwe|d[aei][ers] neue|le nouveau|la nouvelle|el nuevo|la nueva|il nuovo|la nuova|[ao] nov[ao]) /i;

/** Whether names of other places nearby end in the word, as this one does. Where signs are words, as "店", it is none. */
export function isTown(word: Word, { full, base }: Names, { endsNames }: OtherNames): boolean {
  if (UNSPACED.test(full.original)) return false;
  const last = full.words.findLast(({ isFiller }) => !isFiller);
  return word === last && isOfNoKind(word) && word.text.length > 3 && endsNames(word.text, base);
}

/**
 * Whether the words say where a branch is: they are the name of a station, a mall or the like nearby, or stand behind the name of a
 * chain and may be such a name. Behind that of a shop that sells everything they need a word for such a place.
 */
function tellBranch(extra: readonly Word[], { full, base, venue }: Names, { isName }: OtherNames): boolean {
  const first = full.words.find(({ isFiller }) => !isFiller);
  if (first === undefined || extra.includes(first) || !extra.some(isOfNoKind)) return false;
  if (categoryOf(venue.record.category ?? "")?.isContainer) return false;
  if (extra.every((word) => isOfNoKind(word) || isIn(word, CONTAINERS)) && isName(extra)) return true;
  const isWhole = WHOLES.has(keyOf(base));
  if (!isWhole && !isChain(base)) return false;
  if (UNSPACED.test(full.original)) return BRANCH.test(full.original);
  const isWhere = (word: Word) => isIn(word, PUBLIC_PLACES) && (word.kinds & base.kinds) === 0;
  return extra.every((word) => isOfNoKind(word) || isWhere(word)) && (!isWhole || extra.some(isWhere));
}

const isIn = ({ kinds }: Word, places: number): boolean => kinds !== 0 && (kinds & ~places) === 0;

/** How branches are called in scripts without spaces: by "branch", or a street, a station, a mall. */
const BRANCH = /(?:店|支行|分行|路|街|广场|廣場|机场|機場|站|駅|점)$|สาขา/;

/**
 * Whether such words are of no known kind. Those of other scripts are known less well, and in a shop that sells everything any
 * word may name a part of it.
 */
function areOfNoKind(extra: readonly Word[], { full, base, venue }: Names): boolean {
  const isWhole = WHOLES.has(keyOf(base)) || categoryOf(venue.record.category ?? "")?.isContainer;
  return full.original === "" && !full.saysAt && !isWhole && extra.every(isOfNoKind);
}

const isOfNoKind = (word: Word): boolean => word.kinds === 0 && !mayNamePart(word) && !/\d/.test(word.text);

/** Whether it names what has the name of the place that it is a part of, but is of no kind that others have. */
export const mayNamePart = ({ text }: Word): boolean => PARTS.has(text) || FIELD_OF_MEDICINE.test(text);

const listed = (lines: readonly string[]) => new Set(lines.flatMap((line) => line.split(" ")));

/** Rooms, floors, wings and what else has the name of the place that it is a part of. */
const PARTS = listed(tables.parts);

const FIELD_OF_MEDICINE = /olog|iatr|orthop|therap|surger|chirurg|metri?[ey]$|graph(?:y|ie)$/;

/** Shops under whose name are cafes, bakeries, counters and the like, by `keyOf`. */
const WHOLES = listed(tables.wholes);

/** "Deli" and "Deli & Cafe", "Coffee" and "Coffee Shop". */
const isOfSameMeal = ({ kinds, text }: Word, base: Prepared): boolean =>
  !PARTS.has(text) &&
  base.words.some((word) => (word.kinds & OF_ONE_MEAL) !== 0 && !GROCERIES.has(word.text)) &&
  ((kinds & OF_ONE_MEAL) !== 0 || SHOPS.has(text));

/** Whether a place may have others inside under its name: its category says so or, if it has none, its name. */
export function mayHaveOthersInside({ category }: Spot, name: Prepared): boolean {
  if (WHOLES.has(keyOf(name))) return true;
  return categoryOf(category ?? "")?.isContainer ?? (name.kinds & CONTAINERS) !== 0;
}

/** What is sold as food may be a whole supermarket. */
const GROCERIES = new Set(["food", "foods", "wine"]);

const SHOPS = new Set(["shop", "house"]);

/** Legal and other endings that are no fillers, because they begin names too. */
export const isEnding = ({ text }: Word): boolean => ENDINGS.has(text);

const ENDINGS = new Set(tables.endings);

/** What is hardly ever inside a shop under its name. */
const TRADES = new Set(tables.trades.flat());

const keyOf = ({ words }: Pick<Prepared, "words">): string =>
  words.flatMap(({ text, isFiller }) => (isFiller ? [] : [text])).join("");

/** By `keyOf`, the words that a chain adds to its name. */
const CHAINS = new Map(Object.entries(tables.chains).map(([chain, words]) => [chain, new Set(words.split(" "))]));

const chainOf = (name: Prepared): Set<string> | undefined => CHAINS.get(keyOf(name));

/** Names of chains that hardly anything else begins with, by `keyOf`. */
const BRANCHED = new Set(
  Array.from(listed(tables.branched), (name) => keyOf({ words: nameOf({ name }).words.map(wordOf) })),
);

export const isChain = (name: Prepared): boolean => BRANCHED.has(keyOf(name));

interface Category {
  words: string[];
  /** Of trades that a single word tells: "Fast Food Restaurant" tells that of a diner, too. */
  trades: number;
  /** Other trades may be inside it under its name. */
  isContainer: boolean;
}

function categoryOf(name: string): Category | undefined {
  if (name === "") return undefined;
  const known = CATEGORIES.get(name);
  if (known) return known;
  const { words } = nameOf({ name });
  const kinds = words.reduce((all, word) => all | (VAGUE.has(word) ? 0 : kindsOfWord(word)), 0);
  const isContainer = (kinds & CONTAINERS) !== 0 || words.some((word) => STORES.test(word));
  const category = { words, trades: isContainer ? 0 : kinds & TELLING_TRADES, isContainer };
  if (CATEGORIES.size < MOST_CATEGORIES) CATEGORIES.set(name, category);
  return category;
}

const CATEGORIES = new Map<string, Category>();
const MOST_CATEGORIES = 2000;

/** "Coffee Shop" is no store, and "Food & Grocery" no restaurant. */
const VAGUE = new Set(["food", "shop"]);
const STORES = /stores?$|market|^grocery$/;

/** Whether the category's name has the word. */
export const isSaidBy = (category: string | null | undefined, word: Word): boolean =>
  says(categoryOf(category ?? "")?.words ?? [], word);

const confirms = ({ words, trades }: Category, word: Word): boolean => (word.kinds & trades) !== 0 || says(words, word);

const says = (words: readonly string[], word: Word): boolean =>
  words.some((own) => own === word.text || soundsAlike({ text: own, sound: soundOf(own) }, word));
