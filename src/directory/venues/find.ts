import type { Pool } from "pg";
import { KnownError } from "../../shared/errors.ts";
import { VENUE_COLUMNS, type VenueRow } from "./rows.ts";

/** Throws KnownError 400 param_error for an unknown or malformed id (wire-format 3). */
export async function requireVenue(pool: Pool, id: string): Promise<VenueRow> {
  const venue = VENUE_ID.test(id) ? (await findVenues(pool, [id])).get(id) : undefined;
  if (venue) return venue;
  throw noSuchVenue();
}

export const noSuchVenue = () => new KnownError(400, "param_error", "There is no venue with this id.");

/** Our own ids have 24 hex digits; `import --keep-ids` allows others. */
export const VENUE_ID = /^[\w.:-]{1,64}$/;

/** Leaves out unknown ids. */
export async function findVenues(pool: Pool, ids: string[]): Promise<Map<string, VenueRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await pool.query<VenueRow>({
    name: "find-venues",
    text: `SELECT ${VENUE_COLUMNS} FROM directory.venue v WHERE v.id = ANY($1::text[])`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}
