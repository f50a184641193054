import pg from "pg";

/**
 * Makes a pool. All of its connections, and those of `connect`, are made in this file, because each needs a listener from its
 * first moment: PostgreSQL may end a connection in the very packet that hands it out, or between two statements, and an
 * `error` that nobody hears ends the process. The holder of the connection learns of it by the next statement.
 *
 * A connection given back within a transaction is closed: otherwise the writes of its next user would become part of that
 * transaction, and be lost with it.
 *
 * @param onLost told of connections that broke while nobody held them
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

/** Opens a connection outside of any pool. The caller ends it. */
export async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  client.on("error", ignore);
  await client.connect();
  return client;
}

/** The address of a database with more options for its server (`-c name=value`), beside those that it has. */
export function withOptions(url: string, options: string): string {
  const [base = "", query = ""] = url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const all = [parameters.get("options"), options].filter(Boolean).join(" ");
  parameters.delete("options");
  return `${base}?${parameters}${parameters.size > 0 ? "&" : ""}options=${encodeURIComponent(all)}`;
}

const ignore = () => {};
