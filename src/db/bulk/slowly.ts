import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from "pg";

/** Milliseconds. A large directory needs half a minute, and nobody waits for it. */
const PATIENCE = 60 * 60_000;

/** Runs a query without the pool's time limit. The server's limit must be lifted too. */
export function slowly<Row extends QueryResultRow>(client: PoolClient, text: string): Promise<QueryResult<Row>> {
  const query: QueryConfig & { query_timeout: number } = { text, query_timeout: PATIENCE };
  return client.query<Row>(query);
}
