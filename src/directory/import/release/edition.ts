import type { PoolClient } from "pg";
import { type Db, execute, queryRow, queryRows, rawSql, type Sql, sql } from "../../../db/sql.ts";
import { transactionOn } from "../../../db/transactions.ts";
import { KnownError } from "../../../shared/errors.ts";
import { joinVenues, type Merge } from "../../corrections/merged-names.ts";
import { copyLines } from "../store-venues.ts";
import type { Extent } from "./read-release.ts";

export type Ending = { change: "merged"; id: string; into: string } | { change: "closed" | "removed"; id: string };

/**
 * Remembers the ids of an edition, so that the venues it lacks can be found: those that were closed before (`was_closed`), too, which
 * it may have merged into others since. The tables end with the connection.
 */
export async function beginEdition(client: PoolClient): Promise<void> {
  await client.query("CREATE TEMP TABLE seen (id text NOT NULL, is_closed boolean NOT NULL)");
  await client.query(
    "CREATE TEMP TABLE missing (id text NOT NULL, is_closed boolean NOT NULL, was_closed boolean NOT NULL)",
  );
}

export async function noteSeen(client: PoolClient, ids: readonly { id: string; isClosed: boolean }[]): Promise<void> {
  const lines = ids.map(({ id, isClosed }) => `${id}\t${isClosed}\n`);
  if (lines.length > 0) await copyLines(client, "seen", lines);
}

/** More missing venues than this share are rather an incomplete set of files. */
const MOST_MISSING = 0.2;

/**
 * Finds the venues of the release within the extent that the edition lacks or marks as closed. Throws KnownError 409 if
 * it lacks too many open ones, unless `many`. Leaves out those that were edited to be open or closed.
 */
export async function findMissing(
  client: PoolClient,
  { release, extent, many }: { release: string; extent: Extent; many: boolean },
): Promise<void> {
  // PostgreSQL expects few venues within the extent, and would compare each with all that were seen.
  await client.query("CREATE INDEX ON seen (id)");
  await client.query("ANALYZE seen");
  const within = isWithin(release, extent);
  await execute(client)`
    INSERT INTO missing
    SELECT v.id, EXISTS (SELECT 1 FROM seen WHERE seen.id = v.id), v.was_closed
      FROM (SELECT v.id, v.closed_at IS NOT NULL AS was_closed FROM directory.venue v WHERE ${within} OFFSET 0) v
     WHERE NOT EXISTS (SELECT 1 FROM seen WHERE seen.id = v.id AND NOT seen.is_closed)
       AND NOT EXISTS (SELECT 1 FROM directory.venue_change c
                        WHERE c.venue_id = v.id AND c.kind = 'edited' AND c.reverted_at IS NULL AND c.after ? 'closed_at')`;
  const open = await countRows(client, sql`directory.venue v WHERE v.closed_at IS NULL AND ${within}`);
  const share = open && (await countRows(client, sql`missing WHERE NOT is_closed AND NOT was_closed`)) / open;
  if (share <= MOST_MISSING || many) return;
  const message = `The files lack ${Math.round(100 * share)} % of the venues that the directory has of this release.`;
  const help = "If they are complete, run the import again with --many-closed, otherwise with all files.";
  throw new KnownError(409, "conflict", `${message} ${help}`);
}

/** That a venue `v` is of the release and in its extent. */
function isWithin(release: string, { box, countries }: Extent): Sql {
  const among = countries ?? null;
  const { west = null, south = null, east = null, north = null } = box ?? {};
  return sql`v.closed_at IS DISTINCT FROM 'infinity' AND v.creator_id IS NULL
    AND v.source_id IN (SELECT id FROM directory.source WHERE release = ${release})
    AND (${among}::text[] IS NULL OR v.cc = ANY (${among}))
    AND (${west}::float8 IS NULL OR v.lat BETWEEN ${south}::float8 AND ${north}::float8
         AND CASE WHEN ${west}::float8 <= ${east}::float8 THEN v.lng BETWEEN ${west}::float8 AND ${east}::float8
                  ELSE v.lng >= ${west}::float8 OR v.lng <= ${east}::float8 END)`;
}

async function countRows(db: Db, from: Sql): Promise<number> {
  const row = await queryRow<{ count: number }>(db)`SELECT count(*)::float8 AS count FROM ${from}`;
  return row?.count ?? 0;
}

/** Those that the edition lacks, not those that it marks as closed. */
export const missingIds = async (db: Db): Promise<string[]> =>
  idsOf(await queryRows<Id>(db)`SELECT id FROM missing WHERE NOT is_closed`);

interface Id {
  id: string;
}

const idsOf = (rows: readonly Id[]): string[] => rows.map(({ id }) => id);

const AT_A_TIME = 1_000;
/** Merges in a transaction. Check-ins at their venues wait until it ends. */
const MERGES_AT_A_TIME = 200;

/** Closes the missing venues that have not been merged and are open, in portions, each in a short transaction of its own. */
export async function closeMissing(client: PoolClient, onEndings: (endings: readonly Ending[]) => void): Promise<void> {
  await client.query("DELETE FROM missing WHERE was_closed");
  for (;;) {
    const ended = await queryRows<Id & { is_closed: boolean }>(client)`
      WITH portion AS (DELETE FROM missing WHERE ctid = ANY (ARRAY (SELECT ctid FROM missing LIMIT ${rawSql(AT_A_TIME)})) RETURNING *)
      SELECT id, is_closed FROM portion ORDER BY id COLLATE "C"`;
    if (ended.length === 0) return;
    onEndings(ended.map(({ id, is_closed }) => ({ change: is_closed ? "closed" : "removed", id })));
    await execute(client)`
      UPDATE directory.venue SET closed_at = now() WHERE id = ANY (${idsOf(ended)}) AND closed_at IS NULL`;
  }
}

/**
 * Merges missing venues into the others that they became, in portions, each in a short transaction of its own. Those may be closed or
 * missing too: their id may open again, or be merged into a third by a later portion or edition.
 */
export async function mergeMissing(
  client: PoolClient,
  merges: AsyncIterable<Merge> | Iterable<Merge>,
  onEndings: (endings: readonly Ending[]) => void,
): Promise<void> {
  let batch: Merge[] = [];
  const flush = async () => {
    const onMerged = (merged: Merge[]) => onEndings(merged.map((merge) => ({ change: "merged", ...merge })));
    const done = await mergeVenues(client, await mergeable(client, batch), onMerged);
    batch = [];
    if (done.length === 0) return;
    await execute(client)`DELETE FROM missing WHERE id = ANY (${idsOf(done)})`;
  };
  for await (const merge of merges) if (batch.push(merge) >= MERGES_AT_A_TIME) await flush();
  if (batch.length > 0) await flush();
}

/** Leaves out venues that the edition still has, and those that lead to each other in a circle. */
async function mergeable(db: Db, merges: readonly Merge[]): Promise<Merge[]> {
  const told = new Map(merges.map(({ id, into }) => [id, into]));
  const named = [...told].flat();
  const moved = await queryRows<{ id: string; into: string }>(db)`
    SELECT id, venue_id AS "into" FROM directory.moved_venue WHERE id = ANY (${named})`;
  const ids = [...named, ...moved.map(({ into }) => into)];
  const venues = await queryRows<Id>(db)`
    SELECT id FROM directory.venue WHERE id = ANY (${ids}) AND closed_at IS DISTINCT FROM 'infinity'`;
  const there = new Set(idsOf(venues));
  const missing = new Set(idsOf(await queryRows<Id>(db)`SELECT id FROM missing WHERE id = ANY (${ids})`));
  const before = new Map(moved.map(({ id, into }) => [id, into]));
  const next = (id: string) => {
    if (there.has(id)) return missing.has(id) ? told.get(id) : undefined;
    return before.get(id) ?? told.get(id);
  };
  return [...told.keys()].flatMap((id) => {
    const into = missing.has(id) ? endOf(next, id) : undefined;
    return into !== undefined && into !== id && there.has(into) ? { id, into } : [];
  });
}

/** Follows what was merged to where it ends; undefined in a circle. */
function endOf(next: (id: string) => string | undefined, id: string): string | undefined {
  const passed = new Set<string>();
  for (let at: string | undefined = id; !passed.has(at); ) {
    passed.add(at);
    const further: string | undefined = next(at);
    if (further === undefined) return at;
    at = further;
  }
  return undefined;
}

/** Like joinVenues(), in one transaction. `announce` is told before it is committed. */
export async function mergeVenues(
  client: PoolClient,
  merges: readonly Merge[],
  announce: (merged: Merge[]) => void = () => {},
): Promise<Merge[]> {
  if (merges.length === 0) return [];
  return transactionOn(client, async () => {
    await client.query(WITH_FOREIGN_KEYS);
    const done = await joinVenues(client, merges);
    announce(done);
    return done;
  });
}

/** An import turns them off if it may; here nothing may be added to a venue that goes. */
const WITH_FOREIGN_KEYS = `SELECT set_config('session_replication_role', 'origin', true)
  WHERE current_setting('session_replication_role') <> 'origin'`;
