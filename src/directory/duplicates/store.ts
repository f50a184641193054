import type { Pool, PoolClient } from "pg";
import { LOCKS, takeLocks } from "../../db/locks.ts";
import { type Db, execute, prepared, queryRows, type Sql, sql } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
import { keyOf } from "./groups.ts";
import type { Pair } from "./pairs.ts";

/** Runs `work` in a transaction that alone writes pairs of duplicates, so that writers of several never wait for each other. */
export const writingPairs = <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  inTransaction(pool, async (client) => {
    await takeLocks(client, sql`SELECT pg_advisory_xact_lock(${LOCKS.duplicatePairs})`);
    return work(client);
  });

/** Hashes of the venues that were compared in this square, in one around it, or in its quarters. */
export async function hashesSeen(db: Db, key: string): Promise<Set<string>> {
  const around = Array.from(key, (_, length) => key.slice(0, length));
  const portions = await queryRows<{ hashes: string[] }>(prepared(db))`
    SELECT hashes::text[] AS hashes FROM directory.duplicate_portion
     WHERE key = ANY (${around}) OR (key COLLATE "C" >= ${key} AND key COLLATE "C" < ${`${key}4`})`;
  return new Set(portions.flatMap(({ hashes }) => hashes));
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
    await execute(client)`
      INSERT INTO directory.duplicate_portion (key, run_id, hashes)
      VALUES (${portion.key}, ${runId}, ${portion.venues.map(({ hash }) => hash)})
      ON CONFLICT (key) DO UPDATE SET run_id = excluded.run_id, hashes = excluded.hashes`;
    await execute(client)`
      UPDATE directory.duplicate_run SET passed = passed + ${portion.venues.length}, compared = compared + ${ids.length},
             seen_at = now() WHERE id = ${runId}`;
  });

async function replacePairs(db: Db, ids: readonly string[], pairs: readonly Pair[]): Promise<void> {
  const gone = await queryRows<{ a: string; b: string }>(db)`
    DELETE FROM directory.duplicate_pair WHERE different_at IS NULL AND ${hasSomeOf(ids)} RETURNING a_id AS a, b_id AS b`;
  const apart = await saidOfMerged(db, pairs);
  const found = pairs.filter(({ a, b }) => !apart.has(keyOf(a, b)));
  await execute(db)`
    INSERT INTO directory.duplicate_pair (a_id, b_id, score, evidence)
    SELECT a, b, score, evidence
      FROM jsonb_to_recordset(${JSON.stringify(found)}::jsonb) AS p(a text, b text, score float8, evidence jsonb)
    ON CONFLICT DO NOTHING`;
  await markUngrouped(db, [...new Set([...gone, ...found].flatMap(({ a, b }) => [a, b]))]);
}

/** Returns those of the pairs of which an operator said it before one of them, or both, were merged into what they are now. */
async function saidOfMerged(db: Db, pairs: readonly Pair[]): Promise<Set<string>> {
  if (pairs.length === 0) return new Set();
  const ids = pairs.flatMap(({ a, b }) => [a, b]);
  const said = await queryRows<{ a: string; b: string }>(db)`
    SELECT least(a COLLATE "C", b) AS a, greatest(a COLLATE "C", b) AS b
      FROM (SELECT coalesce(m.venue_id, p.a_id) AS a, coalesce(n.venue_id, p.b_id) AS b FROM directory.duplicate_pair p
              LEFT JOIN directory.moved_venue m ON m.id = p.a_id LEFT JOIN directory.moved_venue n ON n.id = p.b_id
             WHERE p.different_at IS NOT NULL AND (m.id IS NOT NULL OR n.id IS NOT NULL)) said
     WHERE a = ANY (${ids}) AND b = ANY (${ids})`;
  return new Set(said.map(({ a, b }) => keyOf(a, b)));
}

/** Lets `formNewGroups` form the groups of these venues anew. */
export async function markUngrouped(db: Db, ids: readonly string[]): Promise<void> {
  await execute(db)`
    UPDATE directory.duplicate_pair SET is_grouped = false WHERE is_grouped AND different_at IS NULL AND ${hasSomeOf(ids)}`;
}

/** SQL: whether a row of directory.duplicate_pair has one of these venues. */
export const hasSomeOf = (ids: readonly string[]): Sql => sql`(a_id = ANY (${ids}) OR b_id = ANY (${ids}))`;

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

/** A venue on a border belongs to the square in the north or east. */
function venuesIn(db: Db, key: string, most: number | null): Promise<HashedVenue[]> {
  let x = 0;
  let y = 0;
  let half = HALF;
  for (const quarter of key) {
    half /= 2;
    x += quarter === "1" || quarter === "3" ? half : -half;
    y += quarter === "2" || quarter === "3" ? half : -half;
  }
  const east = x + half;
  const north = y + half;
  return queryRows<HashedVenue>(prepared(db))`
    SELECT v.id, hashtextextended(ROW (v.id, v.name, v.lat, v.lng, v.address, v.city, v.zip, v.phone, v.twitter, v.url,
           v.category_id)::text, 0)::text AS hash
      FROM directory.venue v
     WHERE v.closed_at IS NULL AND v.point <@ box(point(${x - half}, ${y - half}), point(${east}, ${north}))
       AND v.point[0] < ${east} AND v.point[1] < ${north} LIMIT ${most}`;
}
