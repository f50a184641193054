import { areHardlyAlike, type Common } from "./common-words.ts";
import { distanceOf } from "./compare.ts";
import { sameHouse } from "./normalize/address.ts";
import { samePhone } from "./normalize/phone.ts";
import type { Prepared } from "./prepare.ts";
import type { Likeness } from "./rivals.ts";
import { dice, editSimilarity } from "./text/similarity.ts";

/**
 * Returns what `compare` would find for a venue whose name has hardly a word in common with the listing's, as far as it
 * may speak for a match; `otherWord` is 1. Undefined for all other venues, and if phone, house, Twitter name or a sound
 * in another script may make up for the name.
 */
export function outlineOf(listing: Prepared, venue: Prepared, common: Common): Likeness | undefined {
  if (!areHardlyAlike(common) || (listing.original === "") !== (venue.original === "")) return undefined;
  if (listing.twitter !== "" && venue.twitter !== "") return undefined;
  // Most listings have no phone: the venue's are then not read.
  if (listing.phones.length > 0 && samePhone(listing.phones, venue.phones)) return undefined;
  // As is the venue's address of a listing without a house number.
  if (listing.address.numbers.length > 0 && sameHouse(listing.address, venue.address)) return undefined;
  return {
    trigrams: dice(listing.trigrams, venue.trigrams),
    contained: common.contained,
    shared: common.shared,
    telling: common.telling,
    firstWord: editSimilarity(listing.firstWord, venue.firstWord),
    sameKind: Number((listing.kinds & venue.kinds) !== 0),
    distance: distanceOf(listing.record, venue.record),
  };
}
