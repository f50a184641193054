import type { Pool } from "pg";
import type { Listing } from "../../matching/compare.ts";
import { normalizeName, phoneKey } from "../../matching/normalize.ts";
import { boxesAround, formatPoint } from "./mercator.ts";
import { VENUE_COLUMNS, type VenueRow } from "./rows.ts";

/** Metres within which a venue with a name like the listing's is a candidate. */
export const SAME_NAME = 1500;

/**
 * The venues that could be the listing's: similar names nearby, the nearest whatever their names, and those with its
 * phone number. One statement; at most 90 rows, however many venues share the place or the name.
 */
export async function candidatesOf(pool: Pool, listing: Listing): Promise<VenueRow[]> {
  const nameNorm = normalizeName(listing.name);
  const boxes = boxesAround(listing, SAME_NAME);
  const statement = {
    name: "candidates",
    text: `SELECT DISTINCT ON (v.id) ${VENUE_COLUMNS} FROM (
             (SELECT * FROM directory.venue WHERE name_norm % $1 AND point <@ $2::box ORDER BY name_norm <-> $1 LIMIT 50)
             UNION ALL (SELECT * FROM directory.venue WHERE point <@ $2::box ORDER BY point <-> $3::point LIMIT 20)
             UNION ALL (SELECT * FROM directory.venue WHERE phone_norm = $4 ORDER BY point <-> $3::point LIMIT 20)) v`,
  };
  const phone = (listing.phone && phoneKey(listing.phone)) || null;
  const found = await Promise.all(
    boxes.map((box) => pool.query<VenueRow>({ ...statement, values: [nameNorm, box, formatPoint(listing), phone] })),
  );
  const rows = found.flatMap((result) => result.rows);
  return boxes.length === 1 ? rows : [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** The venues with a telephone number, wherever they are; at most 20. */
export async function withPhone(pool: Pool, phone: string | null | undefined): Promise<VenueRow[]> {
  const key = phone && phoneKey(phone);
  if (!key) return [];
  const { rows } = await pool.query<VenueRow>({
    name: "with-phone",
    text: `SELECT ${VENUE_COLUMNS} FROM directory.venue v WHERE v.phone_norm = $1 LIMIT 20`,
    values: [key],
  });
  return rows;
}
