import { compareNames, type NameComparisons, type Neighbourhood } from "./compare-names.ts";
import { distanceBetween } from "./distance.ts";
import { type Address, sameHouse } from "./normalize/address.ts";
import { type Phone, samePhone } from "./normalize/phone.ts";
import { isStreetType } from "./normalize/street-words.ts";
import type { Website } from "./normalize/website.ts";
import type { Prepared, Spot } from "./prepare.ts";
import { dice, editSimilarity } from "./similarity.ts";

/**
 * Comparisons of two records. Unless stated otherwise, similarities range from 0 to 1 and flags are 0 or 1. Missing
 * where one record lacks the value.
 */
export interface Comparisons extends NameComparisons {
  /** ln(1 + metres / 10). */
  distance?: number;
  otherHouseNumber?: number;
  /** If the house numbers differ: how much `distance` exceeds NEXT_DOOR, at least 0. */
  otherHouseFar?: number;
  street?: number;
  /** If street and house number are the same: similarity of the first words of the names. */
  sameAddress?: number;
  /** The extra words may name a part (`extraBeside`, `extraNumber`), and neither streets nor phones can be compared. */
  possiblePart?: number;
  otherZip?: number;
  otherUnit?: number;
  samePhone?: number;
  otherPhone?: number;
  /** Replaces `otherWord`, `kindWord` and `likeWord` if phone, or street and house number, are the same. */
  otherHere?: number;
  /** Phone, street and house number are the same: one place under any name, except for "Hall A" and "Hall B". */
  phoneAtHouse?: number;
  sameTwitter?: number;
  otherWebsite?: number;
  /** If both link to a page below the same host: whether the pages differ, as those of branches and departments do. */
  otherPage?: number;
  /** 1 minus the similarity of the towns. */
  otherTown?: number;
  /** Lead of the best other candidate, roughly in log-odds: -4 (far behind) to 2. */
  rival?: number;
}

export type ComparisonName = keyof Comparisons;

export function compare(listing: Prepared, venue: Prepared, neighbourhood: Neighbourhood): Comparisons {
  const names = compareNames(listing, venue, neighbourhood);
  const distance = distanceOf(listing.record, venue.record);
  const addresses = compareAddresses(listing, venue, names.firstWord);
  const phones = comparePhones(listing.phones, venue.phones);
  return {
    ...names,
    ...(distance !== undefined && { distance }),
    ...addresses,
    ...(addresses.otherHouseNumber && distance !== undefined && { otherHouseFar: Math.max(0, distance - NEXT_DOOR) }),
    ...compareZips(listing.zip, venue.zip),
    ...phones,
    ...(phones.samePhone && addresses.sameAddress !== undefined && !names.otherDesignation && { phoneAtHouse: 1 }),
    ...(addresses.street === undefined && phones.samePhone !== 1 && mayNamePart(names) && { possiblePart: 1 }),
    ...((phones.samePhone || addresses.sameAddress !== undefined) && atOneHouse(names)),
    ...compareWebsites(listing.website, venue.website),
    ...compareOthers(listing, venue),
  };
}

/** ln(1 + metres / 10) for about 60 m. */
const NEXT_DOOR = 2;

/** A kind of place or a trade often only completes the name: "X Hotel". */
const mayNamePart = ({ extraBeside, extraNumber, extraKind, extraTrade, extraDepartment }: NameComparisons) =>
  extraNumber > 0 || (extraBeside > 0 && extraKind + extraTrade + extraDepartment === 0);

/** If phone, or street and house number, are the same, different words are weaker evidence against a match. */
const atOneHouse = ({ otherWord, kindWord, otherKind }: NameComparisons) => ({
  ...{ otherWord: 0, kindWord: 0, likeWord: 0 },
  otherHere: Math.max(otherWord, Math.min(kindWord, otherKind)),
});

function distanceOf(a: Spot, b: Spot): number | undefined {
  if (a.lat === undefined || a.lng === undefined || b.lat === undefined || b.lng === undefined) return undefined;
  return Math.log1p(distanceBetween({ lat: a.lat, lng: a.lng }, { lat: b.lat, lng: b.lng }) / 10);
}

function compareAddresses(a: Prepared, b: Prepared, firstWord: number) {
  const isSame = sameHouse(a.address, b.address);
  const street = streetLikeness(a, b);
  const [unit, other] = [unitOf(a.address), unitOf(b.address)];
  return {
    ...(isSame !== undefined && { otherHouseNumber: Number(!isSame) }),
    ...(street !== undefined && { street }),
    ...(isSame && street !== undefined && street > 0.6 && { sameAddress: firstWord }),
    ...(unit && other && { otherUnit: Number(unit !== other) }),
  };
}

const unitOf = ({ unit, level }: Address): string | undefined => (unit && level ? `${level}-${unit}` : unit);

/** Returns the Dice coefficient of the trigrams or, if greater, the share of the shorter's words in the longer one. */
function streetLikeness(a: Prepared, b: Prepared): number | undefined {
  const [left, right] = [a.address.street, b.address.street];
  if (left.length === 0 || right.length === 0) return undefined;
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  const own = short.filter((word) => word.length > 1 && !isStreetType(word));
  const met = own.filter((word) =>
    long.some((other) => other === word || (word.length > 4 && editSimilarity(other, word) > 0.8)),
  );
  const share = own.length > 0 ? (0.95 * met.length) / own.length : 0;
  return Math.max(share, dice(a.streetTrigrams, b.streetTrigrams));
}

/** A prefix of three or more characters counts as the same: "EH7", "EH7 5QA". */
function compareZips(a: string, b: string) {
  if (a === "" || b === "") return {};
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return { otherZip: Number(!(short === long || (short.length >= 3 && long.startsWith(short)))) };
}

function comparePhones(a: Phone[], b: Phone[]) {
  const isSame = samePhone(a, b);
  return isSame === undefined ? {} : { samePhone: Number(isSame), otherPhone: Number(!isSame) };
}

function compareWebsites(a: Website | undefined, b: Website | undefined) {
  if (!a || !b) return {};
  const isSameHost = a.host === b.host;
  const haveBothPages = isSameHost && a.path !== "" && b.path !== "";
  return { otherWebsite: Number(!isSameHost), ...(haveBothPages && { otherPage: Number(a.path !== b.path) }) };
}

function compareOthers(a: Prepared, b: Prepared) {
  return {
    ...(a.twitter && a.twitter === b.twitter && { sameTwitter: 1 }),
    ...(a.town && b.town && { otherTown: 1 - editSimilarity(a.town, b.town) }),
  };
}
