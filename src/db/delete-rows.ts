import type { Pool } from "pg";

/** So many take a fraction of the pool's patience. All at once might take longer than that, and then never be deleted. */
const AT_A_TIME = 5_000;

/** Deletes the rows of `table` that fulfil `condition` (SQL, both of our own making), however many there are. */
export async function deleteRows(pool: Pick<Pool, "query">, table: string, condition: string): Promise<void> {
  const text = `DELETE FROM ${table}
    WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${AT_A_TIME}))`;
  for (;;) {
    const { rowCount } = await pool.query(text);
    if ((rowCount ?? 0) < AT_A_TIME) return;
  }
}

/**
 * The same of a table whose rows have a `number` from 1, by an index of `condition` and it. What a batch has deleted the next
 * need not pass: as long as anybody's transaction is older, it lies there, and a million of them are more to pass than to delete.
 */
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
