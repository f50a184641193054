import type pg from "pg";
import { connect } from "../../db/connections.ts";
import { execute, queryRow } from "../../db/sql.ts";
import type { Harmonizer } from "../run/deps.ts";
import { watchReading } from "./read-watch.ts";

export interface Reading {
  signal: AbortSignal;
}

export type Watch = Pick<ReturnType<typeof watchReading>, "soFar" | "goesOn">;

/**
 * Runs `work` exclusively and in one transaction. Returns undefined, with nothing done, if another worker reads the
 * file or the state has changed.
 * @throws the reason of `signal`; AbortError if paused or cancelled; Error if the database takes no rows for SILENCE_MS
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
    query_timeout: 0, // the watch ends what takes no rows
  });
  const watch = watchReading(pool, id);
  const ended = AbortSignal.any([signal, watch.signal]);
  const cut = () => void client.end().catch(() => {}); // the server then rolls back
  ended.addEventListener("abort", cut, { once: true });
  try {
    ended.throwIfAborted();
    await execute(client)`BEGIN`;
    const result = (await isMine(client, id)) ? await work(client, watch) : undefined;
    if (result !== undefined) await execute(client)`COMMIT`;
    return result;
  } catch (error) {
    if (ended.aborted) throw ended.reason;
    throw error;
  } finally {
    ended.removeEventListener("abort", cut);
    watch.stop();
    await client.end().catch(() => {}); // rolls back unless committed
  }
}

async function isMine(client: pg.Client, id: string): Promise<boolean> {
  const lock = await queryRow<{ got: boolean }>(client)`
    SELECT pg_try_advisory_xact_lock(hashtextextended('read ' || ${id}::text, 0)) AS got`;
  const wanted = await execute(client)`SELECT FROM app.harmonization WHERE id = ${id} AND state = 'reading'`;
  return lock?.got === true && wanted === 1;
}
