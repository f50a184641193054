import type { Pool } from "pg";
import { venueColumns } from "../../../src/directory/venues/columns.ts";
import type { OtherName } from "../../../src/matching/prepare.ts";

/** Degrees of latitude. */
export const metres = (count: number) => count / 111_195;

let islands = 0;
/** Returns a place in a sea without venues, far from those returned before. */
export const island = () => ({ lat: -40 + islands++, lng: -120 });

export type Spot = { id?: string; name: string; lat: number; lng: number; phone?: string; otherNames?: OtherName[] };

export async function addSpots(pool: Pool, spots: readonly Spot[]): Promise<void> {
  const columns = spots.map((spot) => ({ ...spot, ...venueColumns(spot) }));
  await pool.query(
    `INSERT INTO directory.venue (id, name, name_norm, other_names, other_names_norm, lat, lng, point, phone, phone_norm, tile)
     SELECT coalesce(id, gen_random_uuid()::text), name, "nameNorm", "otherNames", "otherNamesNorm", lat, lng, point::point, phone, "phoneNorm", tile FROM json_to_recordset($1) AS v
            (id text, name text, "nameNorm" text, "otherNames" jsonb, "otherNamesNorm" text, lat float8, lng float8, point text, phone text, "phoneNorm" text, tile int)`,
    [JSON.stringify(columns)],
  );
}
