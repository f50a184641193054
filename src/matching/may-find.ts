import { WORTH_A_LOOK } from "./decide.ts";
import { distanceBetween } from "./distance.ts";
import { matchListing } from "./match.ts";
import { MISTYPED_WITHIN, mayBeMistyped } from "./mistyped.ts";
import { phoneKeys } from "./normalize/phone.ts";
import type { Listing } from "./prepare.ts";

/** Metres, more than a search reaches unless the telephone number is the same. */
const REACH = 1600;

/**
 * Returns whether a search for the listing may find one of `others` worth a look, if they were venues. Their real scores depend
 * on the venues beside them, so it says yes to scores far below a match.
 */
export function mayFind(listing: Listing, others: readonly Listing[]): boolean {
  const numbers = new Set(phoneKeys(listing.phone ?? ""));
  const isInReach = (other: Listing) =>
    distanceBetween(listing, other) <= REACH ||
    (numbers.size > 0 && phoneKeys(other.phone ?? "").some((key) => numbers.has(key)));
  const near = others.filter(isInReach);
  if (near.length === 0) return false;
  const isMistyped = (other: Listing) =>
    distanceBetween(listing, other) <= MISTYPED_WITHIN && mayBeMistyped(listing, other);
  return (
    near.some(isMistyped) ||
    matchListing(listing, near, WORTH_A_LOOK).some(({ score, isAtAddress }) => score >= WORTH_A_LOOK || isAtAddress)
  );
}
