import { createHash } from "node:crypto";
import type { AddVenueParameters } from "../../contract/parameters.ts";
import type { Category, Venue } from "../../contract/resources.ts";
import type { FoundVenues, Listing } from "../../directory-client/client.ts";
import { WORTH_A_LOOK } from "../../matching/decide.ts";
import { distanceBetween } from "../../matching/distance.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import type { Add, ListingId } from "../run/rows.ts";

/** An add that has begun, as the listing's row holds it. */
export interface BegunAdd extends Omit<Add, "venue"> {
  venue: AddVenueParameters;
  how: "person" | "many";
  ignoreDuplicatesKey?: string | undefined;
  /** Ids of the venues that were there before: what is found and is none of them, this add has made. */
  known: string[];
  /** How often it was sent again. */
  again: number;
}

/**
 * What came of it. `wasAdded`: by an earlier call, perhaps under another name. `alike`: nothing was added, because these may be it, best first. `unclear`: it may have been added;
 * asking again finds out and does not add twice. Given up: nobody will find out but a person, who looks.
 */
export type Added =
  | { kind: "added"; venueId: string; venueName: string; wasAdded?: true }
  | { kind: "alike"; venues: Venue[]; confident: boolean; ignoreDuplicatesKey?: string }
  | { kind: "unclear"; message: string; isGivenUp: boolean };

/** Those that keep a venue from being added, also among many: what is possible at all, a person looks at. */
export const lookAlikes = (venues: Venue[], seen: string[]): Venue[] =>
  venues.filter(({ id, score = 1 }) => score >= WORTH_A_LOOK && !seen.includes(id));

/** What a venue that is to be added is looked for by. */
export const listingOf = ({ name, ll, address, city, state, zip, phone, twitter }: AddVenueParameters): Listing => ({
  ...{ name, ll, address, city, state, zip, phone, twitter },
});

/**
 * The Idempotency-Key of a listing's add: 255 visible ASCII characters at most. The same venue for the same listing has the
 * same key always, so that adding it once more, even after a restored backup, adds nothing where the directory knows it.
 */
export function addKey({ id, number }: ListingId, venue: AddVenueParameters): string {
  const content = Object.entries(venue)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash("sha256").update(JSON.stringify(content)).digest("base64url");
  return `${id}:${number}:${hash.slice(0, 22)}`;
}

/** Metres within which a venue of the same name is the one that was added. */
const SAME_SPOT = 30;

/** The venue that an add has made whose answer was lost; undefined where none of those found can be it. */
export function madeBy({ venue, known }: BegunAdd, { venues }: FoundVenues): Venue | undefined {
  const name = normalizeName(venue.name);
  return venues.find(({ id, name: itsName, location: { lat, lng } = {} }) => {
    if (known.includes(id) || lat === undefined || lng === undefined) return false;
    return normalizeName(itsName) === name && distanceBetween({ lat, lng }, venue.ll) <= SAME_SPOT;
  });
}

/** The id of a category by its id or name, in any case; of two with one name the first in the tree. */
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
