import { createHash } from "node:crypto";
import type { AddVenueParameters } from "../../contract/parameters.ts";
import type { Category, Venue } from "../../contract/resources.ts";
import type { FoundVenues, Listing } from "../../directory-client/client.ts";
import { WORTH_A_LOOK } from "../../matching/decide.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { MISTYPED_WITHIN, mayBeMistyped } from "../../matching/mistyped.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { type Add, asListing, type ListingId, type Query } from "../run/rows.ts";

export interface BegunAdd extends Omit<Add, "venue"> {
  venue: AddVenueParameters;
  how: "person" | "many";
  ignoreDuplicatesKey?: string | undefined;
  /** Ids of venues found before the add: it made none of these. */
  known: string[];
  again: number;
}

/** `alike`: not added because of these venues. `unclear`: asking again settles it, unless it is given up. */
export type Added =
  | { kind: "added"; venueId: string; venueName: string; wasAdded?: true; isHeld?: boolean | undefined }
  | { kind: "alike"; venues: Venue[]; confident: boolean; ignoreDuplicatesKey?: string }
  | { kind: "unclear"; message: string; isGivenUp: boolean };

/**
 * Returns the venues not in `seen` that the listing may be, in the order given: of a score that is worth a look, at its address, or
 * nearby with a name that may be its own mistyped, these two whatever their score.
 */
export const lookAlikes = (listing: AddVenueParameters, venues: readonly Venue[], seen: readonly string[]): Venue[] =>
  venues.filter(
    (venue) =>
      ((venue.score ?? 1) >= WORTH_A_LOOK || isAtAddress(venue) || isMistyped(listing, venue)) &&
      !seen.includes(venue.id),
  );

/** A misspelt name and a distance cost so much that the score would make a place of its own of it. */
function isMistyped({ name, ll, city }: AddVenueParameters, venue: Venue): boolean {
  const { evidence = [], location: { lat, lng, ...where } = {} } = venue;
  if (lat === undefined || lng === undefined || distanceBetween({ lat, lng }, ll) > MISTYPED_WITHIN) return false;
  const isContradicted = evidence.some(({ comparison, weight }) => CONTRADICTIONS.has(comparison) && weight < 0);
  return !isContradicted && mayBeMistyped({ name, city }, { name: venue.name, city: where.city });
}

const CONTRADICTIONS = new Set(["phone", "houseNumber", "unit", "street", "otherDesignation"]);

/**
 * However unlikely by its position, which may be wrong. 0.4 is just below the weight of `sameAddress` at 0.5 (weights.ts), from
 * which matchListing() counts a venue as at the address.
 */
const isAtAddress = ({ evidence = [] }: Venue): boolean =>
  evidence.some(({ comparison, weight }) => comparison === "address" && weight >= 0.4);

export const listingOf = ({ name, ll, address, city, state, zip, phone, twitter }: AddVenueParameters): Listing => ({
  name,
  ll,
  address,
  city,
  state,
  zip,
  phone,
  twitter,
});

/** The listing to search for. With an estimated position, which never counts as its own, it is the one that was matched: in its town. */
export const matchedListing = ({ query, venue }: { query: Query | null; venue: AddVenueParameters }): Listing =>
  query && venue.positionByAddress ? asListing(query) : listingOf(venue);

/** Returns an Idempotency-Key, always the same for a listing and venue, even after a restored backup. */
export function addKey({ id, number }: ListingId, venue: AddVenueParameters): string {
  const content = Object.entries(venue)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash("sha256").update(JSON.stringify(content)).digest("base64url");
  return `${id}:${number}:${hash.slice(0, 22)}`;
}

/** Metres. */
const SAME_SPOT = 30;

/** Finds the venue made by an add whose response was lost. */
export function madeBy({ venue, known }: BegunAdd, { venues }: FoundVenues): Venue | undefined {
  const name = normalizeName(venue.name);
  return venues.find(({ id, name: itsName, location: { lat, lng } = {} }) => {
    if (known.includes(id) || lat === undefined || lng === undefined) return false;
    return normalizeName(itsName) === name && distanceBetween({ lat, lng }, venue.ll) <= SAME_SPOT;
  });
}

export function categoryFinder(tree: Category[]): (said: string) => string | undefined {
  const ids = new Map<string, string>();
  const enter = ({ id, name, pluralName, shortName, categories = [] }: Category) => {
    for (const word of [id, name, pluralName, shortName]) {
      const key = word?.trim().toLowerCase();
      if (key && !ids.has(key)) ids.set(key, id);
    }
    categories.forEach(enter);
  };
  tree.forEach(enter);
  return (said) => ids.get(said.trim().toLowerCase());
}
