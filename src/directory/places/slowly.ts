import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from "pg";

/** Milliseconds: nobody waits for what is done this way, and a large directory needs half a minute. */
const PATIENCE = 60 * 60_000;

/** A query that may take its time, whatever the pool's patience; the server's must be lifted as well. */
export function slowly<Row extends QueryResultRow>(client: PoolClient, text: string): Promise<QueryResult<Row>> {
  const query: QueryConfig & { query_timeout: number } = { text, query_timeout: PATIENCE };
  return client.query<Row>(query);
}
