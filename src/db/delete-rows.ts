import type { Pool } from "pg";

/** So many take a fraction of the pool's patience. All at once might take longer than that, and then never be deleted. */
const AT_A_TIME = 5_000;

/** Deletes the rows of `table` that fulfil `condition` (SQL, both of our own making), however many there are. */
export async function deleteRows(pool: Pool, table: string, condition: string): Promise<void> {
  const text = `DELETE FROM ${table}
    WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${AT_A_TIME}))`;
  for (;;) {
    const { rowCount } = await pool.query(text);
    if ((rowCount ?? 0) < AT_A_TIME) return;
  }
}
