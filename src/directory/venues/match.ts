import type { Pool } from "pg";
import { decide } from "../../matching/decide.ts";
import { type Match, matchListing } from "../../matching/match.ts";
import type { Listing } from "../../matching/prepare.ts";
import { candidatesOf } from "./candidates.ts";
import type { VenueRow } from "./rows.ts";

/**
 * The venues that are probably the listing's, best first, and whether the first may be taken without a look.
 *
 * @param admits tells which venues come into question at all
 */
export async function findMatches(
  pool: Pool,
  listing: Listing,
  minScore?: number,
  admits: (venue: VenueRow) => boolean = () => true,
): Promise<{ matches: Match<VenueRow>[]; confident: boolean }> {
  const candidates = await candidatesOf(pool, listing);
  return decide(matchListing(listing, candidates.filter(admits)), minScore);
}
