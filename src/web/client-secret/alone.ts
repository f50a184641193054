import type pg from "pg";
import { connect } from "../../db/connections.ts";
import { LOCKS } from "../../db/locks.ts";

/**
 * Runs `work` unless any process is changing the client secret already. The lock has its own connection, so that a slow
 * directory does not hold one that pages need.
 *
 * @returns undefined if `work` was not run
 */
export async function alone<T>({ options }: pg.Pool, work: () => Promise<T>): Promise<{ result: T } | undefined> {
  const lock = await connect(options);
  const ignore = () => {};
  try {
    const { rows } = await lock.query("SELECT pg_try_advisory_lock($1) AS taken", [LOCKS.clientSecret]);
    return rows[0].taken ? { result: await work() } : undefined;
  } finally {
    await lock.query("SELECT pg_advisory_unlock_all()").catch(ignore); // the next caller may come before the connection has ended
    lock.end().catch(ignore); // not awaited: a frozen server never answers
  }
}
