import type pg from "pg";
import { connect } from "../../db/connections.ts";
import type { Harmonizer } from "../run/deps.ts";
import { watchReading } from "./read-watch.ts";

/** How a worker reads: `signal` ends it. */
export interface Reading {
  signal: AbortSignal;
}

export type Watch = Pick<ReturnType<typeof watchReading>, "soFar" | "goesOn">;

/**
 * Does what is to be done in the state `reading`, in one transaction on a connection of its own: cut short at any point, none
 * of it is done. Answers what `work` does; undefined, and with nothing done, where that is undefined, where another worker is
 * at it, and where nobody wants it any more.
 *
 * @throws the reason of `signal`, an AbortError once the harmonization is paused or cancelled, or that the database took
 *   nothing for half a minute
 */
export async function readAlone<T>(
  { pool, databaseUrl }: Pick<Harmonizer, "pool" | "databaseUrl">,
  id: string,
  { signal }: Reading,
  work: (client: pg.Client, watch: Watch) => Promise<T | undefined>,
): Promise<T | undefined> {
  const client = await connect({
    connectionString: databaseUrl,
    application_name: "samespot reading",
    connectionTimeoutMillis: 1400,
    keepAlive: true,
  });
  const watch = watchReading(pool, id);
  const ended = AbortSignal.any([signal, watch.signal]);
  const cut = () => void client.end().catch(() => {}); // the server rolls back
  ended.addEventListener("abort", cut, { once: true });
  try {
    ended.throwIfAborted();
    await client.query("BEGIN");
    const result = (await isMine(client, id)) ? await work(client, watch) : undefined;
    if (result !== undefined) await client.query("COMMIT");
    return result;
  } catch (error) {
    if (ended.aborted) throw ended.reason;
    throw error;
  } finally {
    ended.removeEventListener("abort", cut);
    watch.stop();
    await client.end().catch(() => {}); // takes back what is not committed
  }
}

async function isMine(client: pg.Client, id: string): Promise<boolean> {
  const lock = await client.query<{ got: boolean }>(
    "SELECT pg_try_advisory_xact_lock(hashtextextended('read ' || $1, 0)) AS got",
    [id],
  );
  const wanted = await client.query("SELECT FROM app.harmonization WHERE id = $1 AND state = 'reading'", [id]);
  return lock.rows[0]?.got === true && wanted.rowCount === 1;
}
