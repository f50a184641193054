import type { Pool } from "pg";
import type { Match } from "../../matching/match.ts";
import type { Area } from "../../matching/match-incomplete.ts";
import { candidatesOf } from "../venues/candidates.ts";
import { decideIncomplete, findMatches, rowsIn } from "../venues/match.ts";
import type { VenueRow } from "../venues/rows.ts";
import { placeMeant } from "./named.ts";
import { testOf } from "./required.ts";
import type { Wanted } from "./wanted.ts";

/** The candidates of a query, best first. */
export interface Found {
  matches: Match<VenueRow>[];
  /** Whether the first may be taken without a person. */
  confident: boolean;
}

/** Worse candidates than these would only fill the list. */
const LEAST_SCORE = 0.01;

/**
 * The venues that could be what a query wants. With a name and a position it is the same matching as `intent=match`.
 * Without one of them scores are lower, and nothing is certain unless name and telephone number are the same.
 */
export async function findCandidates(pool: Pool, wanted: Wanted): Promise<Found> {
  const { listing, categories, required } = wanted;
  const tests = required.map(testOf);
  const admits = (venue: VenueRow) =>
    (!categories || categories.has(venue.categoryId ?? "")) && tests.every((fits) => fits(venue));
  const { name, lat, lng } = listing;
  if (name !== undefined && lat !== undefined && lng !== undefined)
    return findMatches(pool, { ...listing, name, lat, lng }, LEAST_SCORE, admits);
  const { rows, area } = await rowsFor(pool, wanted);
  return decideIncomplete(listing, area, rows.filter(admits), LEAST_SCORE);
}

async function rowsFor(pool: Pool, { listing, place }: Wanted): Promise<{ rows: VenueRow[]; area: Area }> {
  const { name, lat, lng } = listing;
  if (lat !== undefined && lng !== undefined)
    return { rows: await candidatesOf(pool, { ...listing, name: "", lat, lng }), area: "anywhere" };
  return rowsIn(pool, listing, name === undefined ? undefined : await placeMeant(pool, place));
}
