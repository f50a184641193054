import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from "pg";
import { type Db, execute, queryRow, rawSql } from "./sql.ts";

/** Milliseconds. A large directory needs half a minute, and nobody waits for it. */
const PATIENCE = 60 * 60_000;

/** Runs a query without the pool's time limit. The server's limit must be lifted too. */
export function queryWithoutLimit<Row extends QueryResultRow>(
  client: PoolClient,
  text: string,
): Promise<QueryResult<Row>> {
  const query: QueryConfig & { query_timeout: number } = { text, query_timeout: PATIENCE };
  return client.query<Row>(query);
}

/** Size of the smallest stretch. If even this is too slow, its size is not the reason. */
const FEWEST = 500;

/** Calls `work(after, upTo)` for stretches of the numbers 1 to `last`. Halves one that the database does not finish in time. */
export async function inStretches(
  last: number,
  size: number,
  work: (after: number, upTo: number) => Promise<unknown>,
): Promise<void> {
  for (let [after, length] = [0, Math.min(size, last)]; after < last; ) {
    const upTo = Math.min(after + length, last);
    try {
      await work(after, upTo);
      after = upTo;
    } catch (error) {
      if (!isTooSlow(error) || length <= FEWEST) throw error;
      length = Math.ceil(length / 2);
    }
  }
}

/** Whether a statement exceeded its time (SQLSTATE query_canceled). */
export const isTooSlow = (error: unknown): boolean => (error as { code?: string }).code === "57014";

/** For catch(): undefined if a statement exceeded its time. Throws other errors. */
export function unlessTooSlow(error: unknown): undefined {
  if (!isTooSlow(error)) throw error;
}

/** This many take a fraction of the pool's statement timeout. */
const AT_A_TIME = 5_000;

/** Deletes in batches the rows of `table` that fulfil `condition`. Both are SQL and never user input. */
export async function deleteRows(db: Db, table: string, condition: string): Promise<void> {
  for (;;) {
    const rowCount = await execute(db)`
      DELETE FROM ${rawSql(table)}
      WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${rawSql(table)} WHERE ${rawSql(condition)} LIMIT ${rawSql(AT_A_TIME)}))`;
    if ((rowCount ?? 0) < AT_A_TIME) return;
  }
}

/** Like deleteRows() for rows numbered from 1, if an index on `condition` and `number` exists. Batches skip earlier dead rows. */
export async function deleteNumbered(db: Db, table: string, condition: string): Promise<void> {
  const row = await queryRow<{ last: number | null }>(db)`
    SELECT max(number) AS last FROM ${rawSql(table)} WHERE ${rawSql(condition)}`;
  const last = row?.last ?? 0;
  for (let after = 0; after < last; after += AT_A_TIME)
    await execute(db)`
      DELETE FROM ${rawSql(table)}
       WHERE ${rawSql(condition)} AND number > ${rawSql(after)} AND number <= ${rawSql(after + AT_A_TIME)}`;
}
