import pg from "pg";

export interface PoolUse {
  name: string;
  max: number;
  idle: number;
  busy: number;
  /** Calls that wait for a connection. */
  waiting: number;
}

const pools = new Map<pg.Pool, string>();

/** The open pools of this process. Several may have one name. */
export function poolsInUse(): PoolUse[] {
  for (const pool of pools.keys()) if (pool.ended) pools.delete(pool);
  return [...pools].map(([{ options, totalCount, idleCount, waitingCount: waiting }, name]) => {
    return { name, max: options.max ?? 10, idle: idleCount, busy: totalCount - idleCount, waiting };
  });
}

/**
 * Makes a pool. `name` is its label in the metrics. All connections are made in this file, with an `error` listener from the start: PostgreSQL may end a
 * connection at any moment, and an `error` without a listener ends the process. `onLost` hears of broken idle connections.
 *
 * Closes a connection that is released within a transaction, because its next user's writes would join that transaction.
 */
export function createPool(name: string, config: pg.PoolConfig, onLost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool(config);
  pools.set(pool, name);
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
