import type { Pool } from "pg";
import { LOCKS } from "../../db/locks.ts";

/**
 * Does what changes the application's secret, unless any process is at it already.
 *
 * @returns undefined when it was not done
 */
export async function alone<T>(pool: Pool, work: () => Promise<T>): Promise<{ result: T } | undefined> {
  const lock = await pool.connect();
  const ignore = () => {};
  lock.on("error", ignore); // it is idle while the directory is asked: a lost connection must not end the process
  try {
    const { rows } = await lock.query("SELECT pg_try_advisory_lock($1) AS taken", [LOCKS.clientSecret]);
    return rows[0].taken ? { result: await work() } : undefined;
  } finally {
    const failure = await lock.query("SELECT pg_advisory_unlock_all()").then(ignore, (error: Error) => error);
    lock.off("error", ignore).release(failure ?? false); // after a failure the lock ends with the connection
  }
}
