import type { Pool, PoolClient } from "pg";
import { together } from "../../db/bulk.ts";
import { LOCKS, takeLocks } from "../../db/locks.ts";
import { keyOf } from "./groups.ts";
import type { Pair } from "./pairs.ts";

/** Runs `work` in a transaction that alone writes pairs of duplicates, so that writers of several never wait for each other. */
export const writingPairs = <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  together(pool, async (client) => {
    await takeLocks(client, { text: "SELECT pg_advisory_xact_lock($1)", values: [LOCKS.duplicatePairs] });
    return work(client);
  });

/** Hashes of the venues that were compared in this square, in one around it, or in its quarters. */
export async function hashesSeen(pool: Pool, key: string): Promise<Set<string>> {
  const around = Array.from(key, (_, length) => key.slice(0, length));
  const { rows } = await pool.query<{ hashes: string[] }>({
    name: "duplicate-portions",
    text: `SELECT hashes::text[] AS hashes FROM directory.duplicate_portion
            WHERE key = ANY ($1) OR (key COLLATE "C" >= $2 AND key COLLATE "C" < $2 || '4')`,
    values: [around, key],
  });
  return new Set(rows.flatMap(({ hashes }) => hashes));
}

interface Compared {
  runId: number;
  portion: Portion;
  /** Ids of the venues that were new or changed. */
  ids: readonly string[];
  pairs: readonly Pair[];
}

/** Stores a portion and its pairs at once: what was known of these venues gives way, except what an operator said. */
export const storePortion = (pool: Pool, { runId, portion, ids, pairs }: Compared): Promise<void> =>
  writingPairs(pool, async (client) => {
    if (ids.length > 0) await replacePairs(client, ids, pairs);
    await client.query(
      `INSERT INTO directory.duplicate_portion (key, run_id, hashes) VALUES ($1, $2, $3)
       ON CONFLICT (key) DO UPDATE SET run_id = excluded.run_id, hashes = excluded.hashes`,
      [portion.key, runId, portion.venues.map(({ hash }) => hash)],
    );
    await client.query(
      `UPDATE directory.duplicate_run SET passed = passed + $2, compared = compared + $3, seen_at = now() WHERE id = $1`,
      [runId, portion.venues.length, ids.length],
    );
  });

async function replacePairs(client: PoolClient, ids: readonly string[], pairs: readonly Pair[]): Promise<void> {
  const { rows: gone } = await client.query<{ a: string; b: string }>(
    `DELETE FROM directory.duplicate_pair WHERE different_at IS NULL AND (a_id = ANY ($1) OR b_id = ANY ($1))
     RETURNING a_id AS a, b_id AS b`,
    [ids],
  );
  const apart = await saidOfMerged(client, pairs);
  const found = pairs.filter(({ a, b }) => !apart.has(keyOf(a, b)));
  await client.query(
    `INSERT INTO directory.duplicate_pair (a_id, b_id, score, evidence)
     SELECT a, b, score, evidence FROM jsonb_to_recordset($1::jsonb) AS p(a text, b text, score float8, evidence jsonb)
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(found)],
  );
  await markUngrouped(client, [...new Set([...gone, ...found].flatMap(({ a, b }) => [a, b]))]);
}

/** Returns those of the pairs of which an operator said it before one of them, or both, were merged into what they are now. */
async function saidOfMerged(client: PoolClient, pairs: readonly Pair[]): Promise<Set<string>> {
  if (pairs.length === 0) return new Set();
  const { rows } = await client.query<{ a: string; b: string }>(
    `SELECT least(a COLLATE "C", b) AS a, greatest(a COLLATE "C", b) AS b
       FROM (SELECT coalesce(m.venue_id, p.a_id) AS a, coalesce(n.venue_id, p.b_id) AS b FROM directory.duplicate_pair p
               LEFT JOIN directory.moved_venue m ON m.id = p.a_id LEFT JOIN directory.moved_venue n ON n.id = p.b_id
              WHERE p.different_at IS NOT NULL AND (m.id IS NOT NULL OR n.id IS NOT NULL)) said
      WHERE a = ANY ($1) AND b = ANY ($1)`,
    [pairs.flatMap(({ a, b }) => [a, b])],
  );
  return new Set(rows.map(({ a, b }) => keyOf(a, b)));
}

/** Lets `formNewGroups` form the groups of these venues anew. */
export async function markUngrouped(client: PoolClient, ids: readonly string[]): Promise<void> {
  await client.query(
    `UPDATE directory.duplicate_pair SET is_grouped = false
      WHERE is_grouped AND different_at IS NULL AND (a_id = ANY ($1) OR b_id = ANY ($1))`,
    [ids],
  );
}

/** Venues that are compared together; a square with more is quartered. */
const MOST = 1_000;

/** Mercator degrees from the middle of the map to its edges: more than there are, and a power of two, so that quarters are exact. */
const HALF = 512;

/** The side of the smallest square is some 27 metres. It takes any number of venues. */
const DEEPEST = 22;

/** A square of the map with its open venues. `key`: the quarters that lead to it, such as 0213. */
interface Portion {
  key: string;
  venues: HashedVenue[];
}

interface HashedVenue {
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
