import type pg from "pg";
import { connect } from "./connections.ts";
import { transactionOn } from "./transactions.ts";

interface Options {
  /** Shown by the server after "samespot". */
  name: string;
  statementMs: number;
  /** Ends the connection. The server continues the current statement, for `statementMs` at most. */
  signal?: AbortSignal;
}

/** Like withOwnConnection(), in one transaction with planForMany(). */
export async function withPlanForMany<T>(
  url: string,
  options: Options,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withOwnConnection(url, options, (client) =>
    transactionOn(client, async () => {
      await planForMany(client);
      return work(client);
    }),
  );
}

/**
 * Turns off nested-loop joins until the transaction ends. PostgreSQL chooses them when its statistics, older than the rows, make it
 * expect a single row; for many they compare each row with each.
 */
export async function planForMany(client: Pick<pg.ClientBase, "query">): Promise<void> {
  await client.query("SET LOCAL enable_nestloop = off");
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
