import type pg from "pg";
import { connect } from "./connections.ts";

interface Options {
  /** Shown by the server after "samespot". */
  name: string;
  statementMs: number;
  /** Ends the connection. The server continues the current statement, for `statementMs` at most. */
  signal?: AbortSignal;
}

/**
 * Runs one statement about many rows in a transaction of its own connection. Keeps PostgreSQL from comparing each row with each,
 * which it plans if it expects one row: its statistics may be older than the rows.
 */
export async function withoutNestedLoops<T>(
  url: string,
  options: Options,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withOwnConnection(url, options, async (client) => {
    await client.query("BEGIN");
    await client.query("SET LOCAL enable_nestloop = off");
    const done = await work(client);
    await client.query("COMMIT");
    return done;
  });
}

export async function withOwnConnection<T>(
  url: string,
  { name, statementMs, signal }: Options,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const client = await connect({
    connectionString: url,
    application_name: `samespot ${name}`,
    connectionTimeoutMillis: 1400,
    statement_timeout: statementMs,
    query_timeout: statementMs + 1000,
    keepAlive: true,
  });
  const end = () => client.end().catch(() => {});
  signal?.addEventListener("abort", end, { once: true });
  try {
    signal?.throwIfAborted();
    return await work(client);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", end);
    await end();
  }
}
