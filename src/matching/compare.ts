import { distanceBetween } from "./distance.ts";
import { addressWords, houseNumber, normalizeName, phoneKey } from "./normalize.ts";
import { trigramSimilarity, words } from "./similarity.ts";

/** What the caller knows of a spot. Name and place are needed, everything else helps. */
export interface Listing {
  name: string;
  lat: number;
  lng: number;
  address?: string | null | undefined;
  zip?: string | null | undefined;
  phone?: string | null | undefined;
  twitter?: string | null | undefined;
}

/**
 * What was compared, each as a number that means the same everywhere: 0 to 1 for likenesses, 0 or 1 for what is so or
 * not, metres made logarithmic for the distance. A field that one side lacks compares as 0 for and 0 against.
 */
export interface Comparisons {
  /** Trigrams of the names in common. */
  nameLikeness: number;
  /** Words of the shorter name found in the longer, rare words counting for more. */
  nameContained: number;
  /** The same of the longer name's words in the shorter. */
  nameCovered: number;
  /** The names are the same without blanks ("7 Eleven", "7-eleven"). */
  sameName: number;
  /** ln(1 + metres / 25). */
  distance: number;
  /** The same with 250 metres: beyond them it is hardly ever the same spot. */
  far: number;
  houseNumberAgrees: number;
  houseNumberDiffers: number;
  streetLikeness: number;
  streetDiffers: number;
  sameZip: number;
  samePhone: number;
  otherPhone: number;
  sameTwitter: number;
  /** One name alone holds a word for a part or a neighbour of a place: "X Bus Stop". */
  partOfOther: number;
  /** One name alone says where it is: "Pool @ X" is in X and is not X. */
  onlyOneAt: number;
  /** Both names bear a number, not the same one: "Gate 3", "Gate 4". */
  otherNumber: number;
}

/** How common a word is among the names at hand, 0 (nowhere else) to 1 (in every name). */
export type Commonness = (word: string) => number;

export function compare(listing: Listing, venue: Listing, commonness: Commonness): Comparisons {
  const metres = distanceBetween(listing, venue);
  return {
    ...compareNames(normalizeName(listing.name), normalizeName(venue.name), commonness),
    onlyOneAt: Number(listing.name.includes("@") !== venue.name.includes("@")),
    distance: Math.log1p(metres / 25),
    far: Math.log1p(metres / 250),
    ...compareAddresses(listing.address ?? "", venue.address ?? ""),
    sameZip: Number(sameText(listing.zip, venue.zip)),
    ...comparePhones(listing.phone ?? "", venue.phone ?? ""),
    sameTwitter: Number(sameText(listing.twitter?.replace(/^@/, ""), venue.twitter?.replace(/^@/, ""))),
  };
}

function compareNames(a: string, b: string, commonness: Commonness) {
  const [left, right] = [words(a), words(b)];
  const [shorter, longer] = a.length <= b.length ? [left, right] : [right, left];
  const extra = [...left.filter((word) => !right.includes(word)), ...right.filter((word) => !left.includes(word))];
  const numbers = (list: string[]) =>
    list
      .filter((word) => /^\d+$/.test(word))
      .sort()
      .join(" ");
  const same = left.join("") === right.join("");
  const [numberA, numberB] = [numbers(left), numbers(right)];
  return {
    nameLikeness: trigramSimilarity(a, b),
    nameContained: same ? 1 : share(shorter, longer, commonness),
    nameCovered: same ? 1 : share(longer, shorter, commonness),
    sameName: Number(same),
    partOfOther: Number(extra.some((word) => PARTS.has(word))),
    otherNumber: Number(numberA !== "" && numberB !== "" && numberA !== numberB),
  };
}

/** The share of `some` words, weighed by how rare they are, that have a counterpart among `others`. */
function share(some: string[], others: string[], commonness: Commonness): number {
  let met = 0;
  let total = 0;
  for (const word of some) {
    const weight = FILLERS.has(word) ? 0.1 : 1 - 0.8 * commonness(word);
    total += weight;
    met += weight * counterpart(word, others);
  }
  return total ? met / total : 0;
}

function counterpart(word: string, others: string[]): number {
  if (others.includes(word)) return 1;
  if (word.length < 4) return 0;
  const likeness = Math.max(0, ...others.map((other) => trigramSimilarity(word, other)));
  return likeness >= 0.5 ? likeness : 0;
}

function compareAddresses(a: string, b: string) {
  const [left, right] = [addressWords(a), addressWords(b)];
  const [here, there] = [houseNumber(a), houseNumber(b)];
  const overlap = here && there && here.from <= there.to && there.from <= here.to;
  const street = (list: string[]) => list.filter((word) => !/^\d+[a-z]?$/.test(word));
  const [streetA, streetB] = [street(left).join(" "), street(right).join(" ")];
  const likeness = streetA && streetB ? trigramSimilarity(streetA, streetB) : 0;
  return {
    houseNumberAgrees: Number(overlap === true),
    houseNumberDiffers: Number(overlap === false),
    streetLikeness: likeness,
    streetDiffers: streetA && streetB ? 1 - likeness : 0,
  };
}

function comparePhones(a: string, b: string) {
  const [left, right] = [phoneKey(a), phoneKey(b)];
  const both = left !== undefined && right !== undefined;
  return { samePhone: Number(both && left === right), otherPhone: Number(both && left !== right) };
}

function sameText(a: string | null | undefined, b: string | null | undefined): boolean {
  const plain = (text: string | null | undefined) => (text ?? "").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  return plain(a) !== "" && plain(a) === plain(b);
}

/** Words that tell a part or a neighbour of a place from the place. */
const PARTS = new Set(
  (
    "stop bus gym pool parking carpark park level floor lobby entrance exit gate terminal platform office atm pharmacy " +
    "fuel gas clinic block blk tower wing hall room canteen lounge bar cafe court library station mrt"
  ).split(" "),
);

/** Words that names gain and lose without meaning another place. */
const FILLERS = new Set("the and of at a an in on de la le el und der die das co inc llc ltd pte company".split(" "));
