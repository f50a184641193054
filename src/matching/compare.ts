import { commonOf, type Neighbourhood } from "./common-words.ts";
import { compareNames, type NameComparisons } from "./compare-names.ts";
import { distanceBetween } from "./distance.ts";
import { type Address, sameHouse } from "./normalize/address.ts";
import { samePhone } from "./normalize/phone.ts";
import { isStreetType } from "./normalize/street-words.ts";
import type { Listing, Prepared, Spot } from "./prepare.ts";
import { dice, editSimilarity } from "./text/similarity.ts";
import { mayBeSlip } from "./text/spelling.ts";

/**
 * Comparisons of two records. Unless stated otherwise, similarities range from 0 to 1 and flags are 0 or 1. Missing
 * where one record lacks the value.
 */
export interface Comparisons extends NameComparisons {
  /** ln(1 + metres / 10). */
  distance?: number | undefined;
  otherHouseNumber?: number | undefined;
  /** If the house numbers differ: how much `distance` exceeds NEXT_DOOR, at least 0. */
  otherHouseFar?: number | undefined;
  street?: number | undefined;
  /** If street and house number are the same: similarity of the first words of the names. */
  sameAddress?: number | undefined;
  otherZip?: number | undefined;
  otherUnit?: number | undefined;
  samePhone?: number | undefined;
  otherPhone?: number | undefined;
  /**
   * Replaces `otherWord`, `kindWord` and `likeWord` if phone, or street and house number, are the same: weaker evidence
   * against a match, but no less doubt. 0.5 if the words are similar or of one kind, 0 for a slip of a key.
   */
  otherHere?: number | undefined;
  /** Phone, street and house number are the same: one place under any name, except for "Hall A" and "Hall B". */
  phoneAtHouse?: number | undefined;
  sameTwitter?: number | undefined;
  otherWebsite?: number | undefined;
  /** If both link to a page below the same host: whether the pages differ, as those of branches and departments do. */
  otherPage?: number | undefined;
  /** 1 minus the similarity of the towns. */
  otherTown?: number | undefined;
  /** Lead of the best other candidate, roughly in log-odds: -4 (far behind) to 2. */
  rival?: number | undefined;
}

export type ComparisonName = keyof Comparisons;

/** Always returns the same fields in the same order, because V8 reads such objects fastest. */
export function compare(
  listing: Prepared,
  venue: Prepared,
  neighbourhood: Neighbourhood,
  common = commonOf(listing, venue, neighbourhood),
): Comparisons {
  const names = compareNames(listing, venue, common, neighbourhood);
  const { otherHouseNumber, street, sameAddress, otherUnit } = compareAddresses(listing, venue, names.firstWord);
  const isSamePhone = listing.phones.length > 0 ? samePhone(listing.phones, venue.phones) : undefined;
  const website = compareWebsites(listing, venue);
  const isAtAddress = sameAddress !== undefined;
  const isFound = isSamePhone || isAtAddress;
  const isEstimated = listing.record.isByAddress || venue.record.isByAddress;
  const distance = distanceOf(listing.record, venue.record, isEstimated && isAtAddress ? ESTIMATE_ERROR : 0);
  return {
    ...names,
    otherWord: isFound ? 0 : names.otherWord,
    kindWord: isFound ? 0 : names.kindWord,
    likeWord: isFound ? 0 : names.likeWord,
    distance,
    otherHouseNumber,
    otherHouseFar: otherHouseNumber && distance !== undefined ? Math.max(0, distance - NEXT_DOOR) : undefined,
    street,
    sameAddress,
    otherZip: compareZips(listing, venue),
    otherUnit,
    samePhone: isSamePhone === undefined ? undefined : Number(isSamePhone),
    otherPhone: isSamePhone === undefined ? undefined : Number(!isSamePhone),
    otherHere: isFound ? otherAtOneHouse(names) : undefined,
    phoneAtHouse: isSamePhone && isAtAddress && !names.otherDesignation ? 1 : undefined,
    sameTwitter: listing.twitter && listing.twitter === venue.twitter ? 1 : undefined,
    otherWebsite: website?.otherWebsite,
    otherPage: website?.otherPage,
    otherTown: compareTowns(listing, venue),
    rival: undefined,
  };
}

/** ln(1 + metres / 10) for about 60 m. */
export const NEXT_DOOR = 2;

/** Two wards, two shops of a food court, and a shop and its successor are like this. */
function otherAtOneHouse({ otherWord, kindWord, likeWord, otherKind }: NameComparisons): number {
  const isOther = otherWord > 0 || (kindWord > 0 && otherKind > 0);
  return isOther ? 1 : Math.max(kindWord, Math.floor(likeWord)) / 2;
}

/**
 * How wrong a position estimated between two known house numbers may be, in metres. A smaller distance from a venue of the same
 * address is no evidence.
 */
export const ESTIMATE_ERROR = 500;

/** ln(1 + metres / 10), of the metres beyond `error`. */
export function distanceOf(a: Spot, b: Spot, error = 0): number | undefined {
  if (a.lat === undefined || a.lng === undefined || b.lat === undefined || b.lng === undefined) return undefined;
  return Math.log1p(Math.max(0, distanceBetween(a as Listing, b as Listing) - error) / 10);
}

function compareAddresses(a: Prepared, b: Prepared, firstWord: number) {
  const isSame = sameHouse(a.address, b.address);
  const street = streetLikeness(a, b);
  const [unit, other] = [unitOf(a.address), unitOf(b.address)];
  return {
    otherHouseNumber: isSame === undefined ? undefined : Number(!isSame),
    street,
    sameAddress: isSame && street !== undefined && street > 0.6 ? firstWord : undefined,
    otherUnit: unit && other ? Number(unit !== other) : undefined,
  };
}

const unitOf = ({ unit, level }: Address): string | undefined => (unit && level ? `${level}-${unit}` : unit);

/**
 * Returns the Dice coefficient of the trigrams or, if greater, the share of the shorter's words in the longer one. 58th and 59th
 * Street are two streets, however similar: 0.
 */
export function streetLikeness(a: Prepared, b: Prepared): number | undefined {
  const [left, right] = [a.address.street, b.address.street];
  if (left.length === 0 || right.length === 0) return undefined;
  if (areNumberedApart(left, right)) return 0;
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  const own = short.filter((word) => word.length > 1 && !isStreetType(word));
  const met = own.filter((word) =>
    long.some(
      (other) => other === word || (word.length > 4 && (editSimilarity(other, word) > 0.8 || isSlip(other, word))),
    ),
  );
  const share = own.length > 0 ? (0.95 * met.length) / own.length : 0;
  return Math.max(share, dice(a.streetTrigrams, b.streetTrigrams));
}

/** "Braod", "Broad": two letters swapped are one slip. */
const isSlip = (a: string, b: string): boolean => a.length === b.length && a[0] === b[0] && mayBeSlip(a, b);

/** Whether both streets have a number, and none in common. */
function areNumberedApart(left: string[], right: string[]): boolean {
  const [ours, theirs] = [left.filter(isNumber), right.filter(isNumber)];
  return ours.length > 0 && theirs.length > 0 && !ours.some((number) => theirs.includes(number));
}

const isNumber = (word: string): boolean => /^\d+$/.test(word);

/** A prefix of three or more characters, or a British district, counts as the same: "EH7", "EH7 5QA"; "G1", "G1 1AA". */
export function compareZips(a: Prepared, b: Prepared): number | undefined {
  if (a.zip === "" || b.zip === "") return undefined;
  const [short, long] = a.zip.length <= b.zip.length ? [a.zip, b.zip] : [b.zip, a.zip];
  const isDistrict = short.length >= 3 || (/^[a-z]\d$/.test(short) && BRITISH_ZIP.test(long));
  if (short === long || (isDistrict && long.startsWith(short))) return 0;
  return Number(!(short < ":" && long > ":" && withoutCountry(long) === short));
}

const BRITISH_ZIP = /^[a-z]\d\d[a-z]{2}$/;

/** Removes the country from "D-10115" and "LV-1010". */
const withoutCountry = (zip: string): string => zip.replace(/^[a-z]{1,2}0*(?=\d{3,6}$)/, "");

export const compareTowns = ({ town: a }: Prepared, { town: b }: Prepared): number | undefined =>
  a && b ? 1 - editSimilarity(a, b) : undefined;

function compareWebsites(a: Prepared, b: Prepared) {
  const [one, other] = [a.website, a.website && b.website];
  if (!one || !other) return undefined;
  const isSameHost = one.host === other.host;
  const haveBothPages = isSameHost && one.path !== "" && other.path !== "";
  return { otherWebsite: Number(!isSameHost), otherPage: haveBothPages ? Number(one.path !== other.path) : undefined };
}
