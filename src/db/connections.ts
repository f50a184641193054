import pg from "pg";

/**
 * Makes a pool. All connections are made in this file, with an `error` listener from the start: PostgreSQL may end a
 * connection at any moment, and an `error` without a listener ends the process. `onLost` hears of broken idle connections.
 *
 * Closes a connection that is released within a transaction, because its next user's writes would join that transaction.
 */
export function createPool(config: pg.PoolConfig, onLost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on("error", onLost);
  pool.on("connect", (client) => client.on("error", ignore));
  pool.on("release", (_error, client) => {
    if (client.getTransactionStatus() !== "I") client.end().catch(ignore); // the pool drops what has ended
  });
  return pool;
}

export async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  client.on("error", ignore);
  await client.connect();
  return client;
}

/** Returns the database address with further server options (`-c name=value`). */
export function withOptions(url: string, options: string): string {
  const [base = "", query = ""] = url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const all = [parameters.get("options"), options].filter(Boolean).join(" ");
  parameters.delete("options");
  return `${base}?${parameters}${parameters.size > 0 ? "&" : ""}options=${encodeURIComponent(all)}`;
}

const ignore = () => {};
