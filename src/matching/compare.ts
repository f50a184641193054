import { type Commonness, compareNames, type NameComparisons } from "./compare-names.ts";
import { distanceBetween } from "./distance.ts";
import { type Address, sameHouse } from "./normalize/address.ts";
import { type Phone, samePhone } from "./normalize/phone.ts";
import { isStreetType } from "./normalize/street-words.ts";
import type { Website } from "./normalize/website.ts";
import type { Prepared, Spot } from "./prepare.ts";
import { dice, editSimilarity } from "./similarity.ts";

/**
 * What was compared, each as a number that means the same everywhere: likenesses from 0 to 1, 0 or 1 for what is so or not.
 * What one side does not say is missing.
 */
export interface Comparisons extends NameComparisons {
  /** ln(1 + metres / 10). */
  distance?: number;
  otherHouseNumber?: number;
  street?: number;
  /** Same street and house number: how like the first words of the names are. */
  sameAddress?: number;
  otherZip?: number;
  otherUnit?: number;
  samePhone?: number;
  otherPhone?: number;
  sameTwitter?: number;
  otherWebsite?: number;
  /** Same website, each with a page of its own: whether it is another, of a branch or a department. */
  otherPage?: number;
  otherTown?: number;
  /** How far the best other candidate is ahead of this one, about in log-odds: -4 (far behind) to 2. */
  rival?: number;
}

export type ComparisonName = keyof Comparisons;

export function compare(listing: Prepared, venue: Prepared, commonness: Commonness): Comparisons {
  const names = compareNames(listing, venue, commonness);
  return {
    ...names,
    ...compareDistance(listing.record, venue.record),
    ...compareAddresses(listing, venue, names.firstWord),
    ...compareZips(listing.zip, venue.zip),
    ...comparePhones(listing.phones, venue.phones),
    ...compareWebsites(listing.website, venue.website),
    ...compareOthers(listing, venue),
  };
}

function compareDistance(a: Spot, b: Spot) {
  if (a.lat === undefined || a.lng === undefined || b.lat === undefined || b.lng === undefined) return {};
  return { distance: Math.log1p(distanceBetween({ lat: a.lat, lng: a.lng }, { lat: b.lat, lng: b.lng }) / 10) };
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

/** Trigrams in common, or the share of the shorter's words that the longer has. */
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

/** "EH7" does not speak against "EH7 5QA". */
function compareZips(a: string, b: string) {
  if (a === "" || b === "") return {};
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return { otherZip: Number(!(short === long || (short.length >= 3 && long.startsWith(short)))) };
}

function comparePhones(a: Phone[], b: Phone[]) {
  const isSame = samePhone(a, b);
  return isSame === undefined ? {} : { samePhone: Number(isSame), otherPhone: Number(!isSame) };
}

/** A page of its own at the same host is a branch's or a department's. */
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
