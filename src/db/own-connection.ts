import type pg from "pg";
import { connect } from "./connections.ts";

interface Options {
  /** Shown by the server after "samespot". */
  name: string;
  statementMs: number;
  /** Ends the connection. The server continues the current statement, for `statementMs` at most. */
  signal?: AbortSignal;
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
