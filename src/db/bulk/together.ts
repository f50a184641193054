import type { Pool, PoolClient } from "pg";

/** Runs `work` in one transaction. */
export async function together<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isOver = false;
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    isOver = true;
    return result;
  } finally {
    client.release(!isOver); // on failure, closing the connection rolls back
  }
}
