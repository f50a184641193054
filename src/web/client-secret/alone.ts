import { connect } from "../../db/connections.ts";
import { LOCKS } from "../../db/locks.ts";
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
    const { rows } = await lock.query("SELECT pg_try_advisory_lock($1) AS taken", [LOCKS.clientSecret]);
    return rows[0].taken ? { result: await work() } : undefined;
  } finally {
    await lock.query("SELECT pg_advisory_unlock_all()").catch(ignore); // the next caller may come before the connection has ended
    lock.end().catch(ignore); // not awaited: a frozen server never answers
  }
}
