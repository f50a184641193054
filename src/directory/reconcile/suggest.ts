import type { Pool } from "pg";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import { findVenues, VENUE_ID } from "../venues/find.ts";
import type { VenueRow } from "../venues/rows.ts";
import { searchEverywhere } from "../venues/text/search.ts";
import { describeVenue } from "./candidate.ts";
import { categoriesOfTypes, categoryOfVenue } from "./types.ts";

/** Venues that a prefix is looked for among. */
const LOOKED_AT = 200;

/**
 * The venue with this id, then those with names that begin so or hold such a word. A single letter
 * names no venue: no index finds those, and looking for them would read the whole table.
 */
export async function suggestVenues(pool: Pool, prefix: string, types: readonly string[]): Promise<VenueRow[]> {
  const name = normalizeName(prefix);
  const id = prefix.trim();
  const categories = categoriesOfTypes(types);
  const categoryIds = categories && [...categories];
  const [byId, named] = await Promise.all([
    VENUE_ID.test(id) ? findVenues(pool, [id]) : new Map<string, VenueRow>(),
    name.length < 2 ? [] : searchEverywhere(pool, { term: name, count: LOOKED_AT, categoryIds }),
  ]);
  const begins = named.filter(({ nameNorm }) => nameNorm.startsWith(name));
  const others = named.filter(({ nameNorm }) => !nameNorm.startsWith(name));
  return [...new Map([...byId.values(), ...begins, ...others].map((venue) => [venue.id, venue])).values()];
}

/** A venue as the protocol suggests it. */
export const describeSuggestion = (venue: VenueRow) => ({ ...describeVenue(venue), notable: categoryOfVenue(venue) });
