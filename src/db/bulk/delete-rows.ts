import type { Pool } from "pg";

/** This many take a fraction of the pool's statement timeout. */
const AT_A_TIME = 5_000;

/** Deletes in batches the rows of `table` that fulfil `condition`. Both are SQL and never user input. */
export async function deleteRows(pool: Pick<Pool, "query">, table: string, condition: string): Promise<void> {
  const text = `DELETE FROM ${table}
    WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${AT_A_TIME}))`;
  for (;;) {
    const { rowCount } = await pool.query(text);
    if ((rowCount ?? 0) < AT_A_TIME) return;
  }
}

/** Like deleteRows() for rows numbered from 1, if an index on `condition` and `number` exists. Batches skip earlier dead rows. */
export async function deleteNumbered(pool: Pick<Pool, "query">, table: string, condition: string): Promise<void> {
  const { rows } = await pool.query<{ last: number | null }>(
    `SELECT max(number) AS last FROM ${table} WHERE ${condition}`,
  );
  const last = rows[0]?.last ?? 0;
  for (let after = 0; after < last; after += AT_A_TIME)
    await pool.query(
      `DELETE FROM ${table} WHERE ${condition} AND number > ${after} AND number <= ${after + AT_A_TIME}`,
    );
}
