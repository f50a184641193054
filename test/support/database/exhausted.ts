import type { Pool } from "pg";

/** Takes all connections of a pool. Others wait for one only half a second, until the returned function is called. */
export async function exhaust(pool: Pool): Promise<() => void> {
  const { options } = pool;
  const held = await Promise.all(Array.from({ length: options.max }, () => pool.connect()));
  const patience = options.connectionTimeoutMillis;
  Object.assign(options, { connectionTimeoutMillis: 500 });
  return () => {
    Object.assign(options, { connectionTimeoutMillis: patience });
    for (const client of held) client.release();
  };
}
