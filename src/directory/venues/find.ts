import type { Pool } from "pg";
import { KnownError } from "../../shared/errors.ts";
import { VENUE_COLUMNS, type VenueRow } from "./rows.ts";
import { inTiles, type Tile } from "./tiles.ts";

/** Throws KnownError 400 param_error for an unknown or malformed id (wire-format 3). */
export async function requireVenue(pool: Pool, id: string): Promise<VenueRow> {
  const venue = VENUE_ID.test(id) ? (await findVenues(pool, [id])).get(id) : undefined;
  if (venue) return venue;
  throw new KnownError(400, "param_error", "There is no venue with this id.");
}

/** Our own ids have 24 hex digits; `import --keep-ids` allows others. */
export const VENUE_ID = /^[\w.:-]{1,64}$/;

/** Leaves out unknown ids. `tiles` are those of the venues; null for one that is not known. */
export async function findVenues(
  pool: Pool,
  ids: readonly string[],
  tiles: readonly Tile[] = [null],
): Promise<Map<string, VenueRow>> {
  if (ids.length === 0) return new Map();
  const known = [...new Set(tiles)].filter((tile) => tile !== null);
  const few = tiles.includes(null) ? undefined : known;
  const { rows } = await pool.query<VenueRow>({
    name: few ? "find-venues-in-tiles" : "find-venues",
    text: `SELECT ${VENUE_COLUMNS} FROM directory.venue v WHERE v.id = ANY ($1::text[]) AND ${inTiles("v", "$2", few)}`,
    values: [ids, few],
  });
  return new Map(rows.map((row) => [row.id, row]));
}
