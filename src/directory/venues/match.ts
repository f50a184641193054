import type { Pool } from "pg";
import type { Listing } from "../../matching/compare.ts";
import { decide } from "../../matching/decide.ts";
import { type Match, matchListing } from "../../matching/match.ts";
import { candidatesOf } from "./candidates.ts";
import type { VenueRow } from "./rows.ts";

/** The venues that are probably the listing's, best first, and whether the first may be taken without a look. */
export async function findMatches(
  pool: Pool,
  listing: Listing,
  minScore?: number,
): Promise<{ matches: Match<VenueRow>[]; confident: boolean }> {
  return decide(matchListing(listing, await candidatesOf(pool, listing)), minScore);
}
