import { connect } from "../../db/connections.ts";
import { LOCKS } from "../../db/locks.ts";
import { execute, queryRow } from "../../db/sql.ts";
import type { Harmonizer } from "../../harmonize/run/deps.ts";

const PATIENCE_MS = 1400;

interface Deps {
  harmonizer: Pick<Harmonizer, "databaseUrl">;
}

/**
 * Runs `work` unless any process is changing the client secret already. The lock has its own connection, so that a slow
 * directory does not hold one that pages need.
 *
 * @returns undefined if `work` was not run
 */
export async function alone<T>(deps: Deps, work: () => Promise<T>): Promise<{ result: T } | undefined> {
  const lock = await connect({
    connectionString: deps.harmonizer.databaseUrl,
    application_name: "samespot secret",
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  const ignore = () => {};
  try {
    const row = await queryRow<{ isTaken: boolean }>(lock)`
      SELECT pg_try_advisory_lock(${LOCKS.clientSecret}) AS "isTaken"`;
    return row?.isTaken ? { result: await work() } : undefined;
  } finally {
    await execute(lock)`SELECT pg_advisory_unlock_all()`.catch(ignore); // the next caller may come before the connection has ended
    lock.end().catch(ignore); // not awaited: a frozen server never answers
  }
}
