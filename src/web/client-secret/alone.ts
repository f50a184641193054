import type pg from "pg";
import { connect } from "../../db/connections.ts";
import { LOCKS } from "../../db/locks.ts";

/**
 * Does what changes the application's secret, unless any process is at it already. The lock has a connection of its own:
 * while a directory hangs, none of the few that pages need is held.
 *
 * @returns undefined when it was not done
 */
export async function alone<T>({ options }: pg.Pool, work: () => Promise<T>): Promise<{ result: T } | undefined> {
  const lock = await connect(options);
  const ignore = () => {};
  try {
    const { rows } = await lock.query("SELECT pg_try_advisory_lock($1) AS taken", [LOCKS.clientSecret]);
    return rows[0].taken ? { result: await work() } : undefined;
  } finally {
    await lock.query("SELECT pg_advisory_unlock_all()").catch(ignore); // the next may come before the connection has ended
    lock.end().catch(ignore); // nobody waits: a frozen server never says goodbye
  }
}
