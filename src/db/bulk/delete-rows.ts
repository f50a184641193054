import { type Db, execute, queryRow, rawSql } from "../sql.ts";

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
