import type { Pool } from "pg";
import { decide } from "../../../matching/decide.ts";
import { type Match, matchListing } from "../../../matching/match.ts";
import { type Area, type IncompleteListing, matchIncomplete } from "../../../matching/match-incomplete.ts";
import type { Listing } from "../../../matching/prepare.ts";
import type { Place } from "../../places/place.ts";
import { candidatesOf, withPhone } from "../candidates.ts";
import type { VenueRow } from "../rows.ts";
import { venuesNamedIn } from "./named.ts";

/** The matches, best first, and whether the first may be taken without a person. */
export interface Decision {
  matches: Match<VenueRow>[];
  confident: boolean;
}

/** The venues that are probably the listing's, best first, and whether the first may be taken without a look. */
export async function findMatches(pool: Pool, listing: Listing): Promise<Decision> {
  return decide(matchListing(listing, await candidatesOf(pool, listing)));
}

/** As `findMatches`, for a listing without a position in a place, or anywhere: a place's middle is nobody's position. */
export async function findMatchesIn(
  pool: Pool,
  place: Place | undefined,
  listing: IncompleteListing,
  minScore?: number,
): Promise<Decision> {
  const { rows, area } = await rowsIn(pool, listing, place);
  return decideIncomplete(listing, area, rows, { minScore });
}

/** What could be a listing without a position: the venues named like it in the place, or anywhere, and those with its phone. */
export async function rowsIn(
  pool: Pool,
  { name, phone }: IncompleteListing,
  place: Place | undefined,
): Promise<{ rows: VenueRow[]; area: Area }> {
  const [called, named] = await Promise.all([
    withPhone(pool, phone),
    name ? venuesNamedIn(pool, name, place) : undefined,
  ]);
  const rows = new Map([...called, ...(named?.rows ?? [])].map((row) => [row.id, row]));
  return { rows: [...rows.values()], area: named?.area ?? "anywhere" };
}

interface Deciding {
  minScore?: number | undefined;
  /** Changes the scores before the decision; keeps the best first. */
  weigh?: (matches: Match<VenueRow>[]) => Match<VenueRow>[];
}

/** Nothing is certain of a listing that lacks its name or position, unless name and telephone number are the same. */
export function decideIncomplete(
  listing: IncompleteListing,
  area: Area,
  rows: VenueRow[],
  { minScore, weigh = (matches) => matches }: Deciding,
): Decision {
  const { matches, confident } = decide(weigh(matchIncomplete(listing, area, rows)), minScore);
  return { matches, confident: confident && listing.name !== undefined && isSamePhone(matches[0]) };
}

const isSamePhone = (match: Match<VenueRow> | undefined): boolean =>
  match?.evidence.some(({ comparison, weight }) => comparison === "phone" && weight > 0) ?? false;
