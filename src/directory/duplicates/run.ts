import type { Pool, PoolClient } from "pg";
import { LOCKS } from "../../db/locks.ts";
import { execute, queryRow } from "../../db/sql.ts";
import { KnownError } from "../../shared/errors.ts";
import { secondsSince } from "../../shared/seconds-since.ts";
import { findPairs } from "./pairs.ts";
import { countGroups } from "./queue.ts";
import { formNewGroups } from "./regroup.ts";
import { hashesSeen, portionsOf, storePortion } from "./store.ts";

interface RunOptions {
  pool: Pool;
  signal?: AbortSignal;
  onProgress?: (progress: RunProgress) => void;
}

export interface RunProgress {
  /** Open venues of the directory at the start. */
  venues: number;
  passed: number;
  /** Of those passed, how many were new or changed since the last run. */
  compared: number;
  seconds: number;
}

/**
 * Searches the directory for venues that are one place, portion by portion, and stores pairs and groups. Locks no venue. May end at
 * any moment: the next run compares only venues that are new or changed since they were compared. Throws KnownError 409 if another
 * run is at work.
 */
export async function searchDuplicates({
  pool,
  signal,
  onProgress,
}: RunOptions): Promise<RunProgress & { groups: number }> {
  const client = await pool.connect();
  try {
    await takeTurn(client);
    const done = await compareAll(pool, signal, onProgress);
    return { ...done, groups: await countGroups(pool) };
  } finally {
    client.release(true); // also ends its transaction, and with it the lock
  }
}

/**
 * Waits a moment for a search that was just interrupted to end. The lock is that of a transaction, because a pooler would leave one of
 * a session to whoever comes next. The transaction reads nothing later, so it keeps no row from vacuum.
 */
async function takeTurn(client: PoolClient): Promise<void> {
  await client.query("BEGIN");
  await client.query("SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = '2s'");
  await execute(client)`SELECT pg_advisory_xact_lock(${LOCKS.duplicates})`.catch((error) => {
    if (error.code !== "55P03") throw error;
    throw new KnownError(409, "conflict", "Another search for duplicates is running. Wait for it to end.");
  });
}

async function compareAll(
  pool: Pool,
  signal: RunOptions["signal"],
  onProgress: RunOptions["onProgress"],
): Promise<RunProgress> {
  const begun = performance.now();
  const run = await queryRow<{ id: number; venues: number }>(pool)`
    INSERT INTO directory.duplicate_run (venues) SELECT count(*)::int FROM directory.venue v WHERE v.closed_at IS NULL
    RETURNING id, venues`;
  const { id: runId, venues } = run as { id: number; venues: number };
  const done: RunProgress = { venues, passed: 0, compared: 0, seconds: 0 };
  for await (const portion of portionsOf(pool)) {
    signal?.throwIfAborted();
    const seen = await hashesSeen(pool, portion.key);
    const ids = portion.venues.flatMap(({ id, hash }) => (seen.has(hash) ? [] : id));
    const pairs = ids.length > 0 ? await findPairs(pool, ids) : [];
    await storePortion(pool, { runId, portion, ids, pairs });
    await formNewGroups(pool);
    done.passed += portion.venues.length;
    done.compared += ids.length;
    done.seconds = secondsSince(begun);
    onProgress?.(done);
  }
  await finish(pool, runId);
  return done;
}

/** Forms all groups anew, because venues were merged, restored or closed since, and forgets squares that are now in other portions. */
async function finish(pool: Pool, runId: number): Promise<void> {
  await pool.query("UPDATE directory.duplicate_pair SET is_grouped = false WHERE is_grouped AND different_at IS NULL");
  await formNewGroups(pool);
  await execute(pool)`DELETE FROM directory.duplicate_portion WHERE run_id <> ${runId}`;
  await execute(pool)`UPDATE directory.duplicate_run SET finished_at = now(), seen_at = now() WHERE id = ${runId}`;
}
