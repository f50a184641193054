import { type Comparisons, compareTowns, compareZips, streetLikeness } from "./compare.ts";
import { distanceBetween } from "./distance.ts";
import { type Address, sameHouse } from "./normalize/address.ts";
import type { Listing, Prepared } from "./prepare.ts";
import type { Compared } from "./rivals.ts";
import { isInOtherScript } from "./text/name.ts";

/**
 * Whether what a listing and a venue say of where they are cannot both be true. Of the right matches of labelled sets, every
 * thirtieth has another postal code or house number, but hardly one of those with the same position. So one contradiction
 * counts if the distance tells nothing and the phone is not the same, and two count always.
 */
export function isContradicted(listing: Prepared, venue: Prepared, comparisons: Comparisons): boolean {
  const { otherZip, otherHouseNumber, samePhone } = comparisons;
  const found = [
    otherZip === 1,
    otherHouseNumber === 1,
    isOtherStreet(listing, venue, comparisons),
    isOtherTown(listing, venue, comparisons),
  ].filter(Boolean);
  return found.length > 1 || (found.length === 1 && samePhone !== 1 && !isDistanceTelling(listing, venue, comparisons));
}

/** Two sources that know a position by themselves seldom agree to the metre: one has it from the other, or from a town. */
const isDistanceTelling = ({ record: a }: Prepared, { record: b }: Prepared, { distance = 0 }: Comparisons): boolean =>
  10 * Math.expm1(distance) > SAME_POINT && !a.isByAddress && !b.isByAddress;

/** Metres between two positions that are the same, except for rounding. */
const SAME_POINT = 1;

/** "Mall Level 2" and "12 High Street" may be one place, "12 Mill Road" and "12 High Street" are not. */
const isOtherStreet = (
  { address: a }: Prepared,
  { address: b }: Prepared,
  { street = 1 }: Pick<Comparisons, "street">,
): boolean =>
  street < OTHER &&
  a.numbers.length > 0 &&
  b.numbers.length > 0 &&
  areInOneScript(a.street.join(""), b.street.join(""));

/** "Leith" and "Leith, Edinburgh" are one town, and so may be "LA" and "Los Angeles". */
function isOtherTown(listing: Prepared, venue: Prepared, { otherTown = 0 }: Pick<Comparisons, "otherTown">): boolean {
  if (1 - otherTown >= OTHER || !areInOneScript(listing.town, venue.town)) return false;
  const [short, long] = [listing, venue].sort((a, b) => a.town.length - b.town.length) as [Prepared, Prepared];
  return !long.town.includes(short.town) && short.town !== initialsOf(long);
}

/** Similarity below which streets and towns are not the same, differently spelled. */
const OTHER = 0.5;

const initialsOf = ({ record }: Prepared): string =>
  (record.city ?? "")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .map((word) => word.charAt(0))
    .join("");

const areInOneScript = (a: string, b: string): boolean => isInOtherScript(a) === isInOtherScript(b);

/**
 * So many addresses of one name at one point are no neighbours: somebody put all branches at the headquarters. Of 743,000 real
 * venues, all five such groups were of this kind (2026-11-26).
 */
export const MANY_AT_ONE_POINT = 3;

/** Whether a venue is one of several of its name that have one point, but addresses of their own. */
export function isOfManyAtOnePoint<V extends Listing>(venue: Prepared<V>, all: readonly Compared<V>[]): boolean {
  const namesakes = all.filter(
    ({ venue: other }) =>
      !other.otherName && other.joined === venue.joined && distanceBetween(other.record, venue.record) <= SAME_POINT,
  );
  return haveManyAddresses(namesakes.map(({ venue: namesake }) => namesake));
}

/**
 * Whether MANY_AT_ONE_POINT of these places have addresses of which no two can be the same, however they are spelled. Units,
 * floors and letters (12a) are of one address, and a part that one of two addresses lacks does not make them differ.
 */
export function haveManyAddresses(places: readonly Prepared[]): boolean {
  if (places.length < MANY_AT_ONE_POINT) return false;
  const apart: Prepared[] = [];
  // What says little differs from little: first, it would stand for many.
  for (const place of places.toSorted((a, b) => partsOf(b) - partsOf(a))) {
    if (apart.every((other) => isOtherAddress(place, other))) apart.push(place);
    if (apart.length === MANY_AT_ONE_POINT) return true;
  }
  return false;
}

const partsOf = ({ address, town, zip }: Prepared): number =>
  [address.numbers.length > 0 && !address.isUnsure, address.street.length > 0, town, zip].filter(Boolean).length;

const isOtherAddress = (a: Prepared, b: Prepared): boolean =>
  sameHouse(withoutLetters(a.address), withoutLetters(b.address)) === false ||
  isOtherStreet(a, b, { street: streetLikeness(a, b) }) ||
  compareZips(a, b) === 1 ||
  isOtherTown(a, b, { otherTown: compareTowns(a, b) });

const withoutLetters = (address: Address): Address => ({
  ...address,
  numbers: address.numbers.map(({ letter: _, ...number }) => number),
});
