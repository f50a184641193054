import type { Pool } from "pg";

/** Venues that are compared together; a square with more is quartered. */
const MOST = 1_000;

/** Mercator degrees from the middle of the map to its edges: more than there are, and a power of two, so that quarters are exact. */
const HALF = 512;

/** The side of the smallest square is some 27 metres. It takes any number of venues. */
const DEEPEST = 22;

/** A square of the map with its open venues. `key`: the quarters that lead to it, such as 0213. */
export interface Portion {
  key: string;
  venues: HashedVenue[];
}

export interface HashedVenue {
  id: string;
  /** Of all that is compared, as a decimal number: the same until the venue changes. */
  hash: string;
}

/** Yields every open venue once, square after square, so that venues near each other mostly follow each other. */
export async function* portionsOf(pool: Pool, key = ""): AsyncGenerator<Portion> {
  const isDeepest = key.length === DEEPEST;
  const venues = await venuesIn(pool, key, isDeepest ? null : MOST + 1);
  if (venues.length > MOST && !isDeepest) for (const quarter of "0123") yield* portionsOf(pool, key + quarter);
  else if (venues.length > 0) yield { key, venues };
}

async function venuesIn(pool: Pool, key: string, most: number | null): Promise<HashedVenue[]> {
  let [x, y, half] = [0, 0, HALF];
  for (const quarter of key) {
    half /= 2;
    x += quarter === "1" || quarter === "3" ? half : -half;
    y += quarter === "2" || quarter === "3" ? half : -half;
  }
  const { rows } = await pool.query<HashedVenue>({
    name: "portion-of-venues",
    text: VENUES_IN,
    values: [x - half, y - half, x + half, y + half, most],
  });
  return rows;
}

/** A venue on a border belongs to the square in the north or east. */
const VENUES_IN = `SELECT v.id, hashtextextended(ROW (v.id, v.name, v.lat, v.lng, v.address, v.city, v.zip, v.phone, v.twitter, v.url,
         v.category_id)::text, 0)::text AS hash
    FROM directory.venue v
   WHERE v.closed_at IS NULL AND v.point <@ box(point($1, $2), point($3, $4)) AND v.point[0] < $3 AND v.point[1] < $4 LIMIT $5`;
