import type { Pool } from "pg";
import { KnownError } from "../../shared/errors.ts";
import { VENUE_COLUMNS, type VenueRow } from "./rows.ts";

/**
 * The venue of this id.
 *
 * @throws KnownError 400 param_error for an id that no venue has, whatever its shape (wire-format 3)
 */
export async function requireVenue(pool: Pool, id: string): Promise<VenueRow> {
  const venue = VENUE_ID.test(id) ? (await findVenues(pool, [id])).get(id) : undefined;
  if (venue) return venue;
  throw new KnownError(400, "param_error", "The value given is not the id of a venue.");
}

/** Ids of our own have 24 hex digits; `import --keep-ids` takes others. */
export const VENUE_ID = /^[\w.:-]{1,64}$/;

/** The venues of these ids, by id; unknown ids are not in the answer. */
export async function findVenues(pool: Pool, ids: string[]): Promise<Map<string, VenueRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await pool.query<VenueRow>({
    name: "find-venues",
    text: `SELECT ${VENUE_COLUMNS} FROM directory.venue v WHERE v.id = ANY($1::text[])`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}
