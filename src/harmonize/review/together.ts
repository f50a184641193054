import type { Pool, PoolClient } from "pg";

/** Listings that one statement decides or undoes: a whole family at once would outlast the patience of a page. */
export const AT_ONCE = 1000;

/** Several statements, all of them done or none. */
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
    client.release(!isOver); // where it failed the connection ends, and the transaction with it
  }
}
