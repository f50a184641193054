import type { Pool } from "pg";
import { prepared, queryRows, rawSql } from "../../db/sql.ts";
import { distanceBetween } from "../../matching/distance.ts";
import type { Listing } from "../../matching/prepare.ts";
import { findVenues, seenByOperators } from "./find.ts";
import { contains, mercatorY, regionOf } from "./mercator.ts";
import { SAME_NAME } from "./probe.ts";
import type { VenueRow } from "./rows.ts";

// A venue that waits for an operator's approval has `closed_at` infinity, so every search leaves it out, like closed ones. Searches
// of the user who added it take along what `heldOf` returns.

/** Most held venues that searches find, the last added first. All are found by their ids. */
const MOST_FOUND = 2000;

/** Returns the venues of the caller that wait for approval. `hasHeld` saves those who have none a statement. */
export async function heldOf(
  pool: Pool,
  { userId, hasHeld }: { userId?: string | undefined; hasHeld?: boolean | undefined },
): Promise<VenueRow[]> {
  return userId !== undefined && hasHeld ? heldVenues(pool, userId) : [];
}

/** Returns the held venues of a user, or of all. */
export async function heldVenues(pool: Pool, userId: string | null): Promise<VenueRow[]> {
  const proposed = await queryRows<{ id: string }>(prepared(pool))`
    SELECT venue_id AS id FROM directory.venue_proposal p
     WHERE state = 'open' AND is_new AND (${userId}::text IS NULL OR user_id = ${userId})
     ORDER BY p.id DESC LIMIT ${rawSql(MOST_FOUND)}`;
  const ids = proposed.map(({ id }) => id);
  const found = [...(await findVenues(pool, ids, { sees: seenByOperators })).values()];
  return found.filter(({ heldFor }) => (userId === null ? heldFor !== null : heldFor === userId));
}

/** Returns those that a listing is to be compared with. */
export const heldNear = (held: readonly VenueRow[], listing: Listing): VenueRow[] =>
  held.filter((venue) => distanceBetween(listing, venue) <= SAME_NAME);

interface Searched {
  /** Box literals; undefined means everywhere. */
  boxes?: string[] | undefined;
  categoryIds?: string[] | undefined;
  held?: readonly VenueRow[] | undefined;
}

/** Returns those of `held` that lie in one of the boxes and are of one of the categories. */
export function heldIn({ boxes, categoryIds, held = [] }: Searched): VenueRow[] {
  if (held.length === 0) return [];
  const regions = boxes?.map(regionOf);
  return held.filter(
    ({ lat, lng, categoryId }) =>
      (regions?.some((region) => contains(region, lng, mercatorY(lat))) ?? true) &&
      (categoryIds?.includes(categoryId ?? "") ?? true),
  );
}
