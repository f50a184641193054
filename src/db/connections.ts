import type { Duplex } from "node:stream";
import pg from "pg";
import { inTransactions, type Pooled } from "./pooler.ts";
import { forgetPrimary, leadingTo } from "./primary.ts";
import { CONNECTION_SETTINGS } from "./server-settings.ts";

/** A string is the address of the database itself. Contains passwords: never log it. */
export type Address = string | Pooled;

interface PoolOptions extends pg.PoolConfig {
  /** Of the server, such as statement_timeout, for every statement; besides CONNECTION_SETTINGS, and before them. */
  settings?: Record<string, string | number>;
}

interface PoolUse {
  name: string;
  max: number;
  idle: number;
  busy: number;
  /** Calls that wait for a connection. */
  waiting: number;
}

/** The limits of whoever names no others: nobody waits for ever for a server that neither answers nor closes the connection. 0 is no limit. */
const LIMITS = { connectionTimeoutMillis: 10_000, query_timeout: 60_000, keepAlive: true } as const;

const GOODBYE_MS = 1000;

const pools = new Map<pg.Pool, string>();

/** The open pools of this process. Several may have one name. */
export function poolsInUse(): PoolUse[] {
  for (const pool of pools.keys()) if (pool.ended) pools.delete(pool);
  return [...pools].map(([{ options, totalCount, idleCount, waitingCount: waiting }, name]) => {
    return { name, max: options.max ?? 10, idle: idleCount, busy: totalCount - idleCount, waiting };
  });
}

/**
 * Makes a pool. `name` is its label in the metrics; `onLost` hears of broken idle connections. All connections are made in this
 * file, with an `error` listener from the start: PostgreSQL may end a connection at any moment, and an `error` without a listener
 * ends the process.
 *
 * Closes a connection that is released within a transaction, because its next user's writes would join that transaction.
 */
export function createPool(
  name: string,
  address: Address,
  { settings: own, ...limits }: PoolOptions,
  onLost: (error: Error) => void,
): pg.Pool {
  const settings = { ...CONNECTION_SETTINGS, ...own };
  const config = { ...LIMITS, ...limits };
  const isDirect = typeof address === "string";
  const pool = new pg.Pool(
    isDirect
      ? leadingTo(config, withOptions(address, settings))
      : { ...config, connectionString: address.url, pipeline: true },
  );
  pools.set(pool, name);
  pool.on("error", (error) => {
    if (isDirect) forgetPrimary(address);
    onLost(error);
  });
  pool.on("connect", (client) => {
    client.on("error", ignore);
    if (!isDirect) inTransactions(client, address, settings);
  });
  pool.on("release", (_error, client) => {
    if (client.getTransactionStatus() !== "I") client.end().catch(ignore); // the pool drops what has ended
  });
  return pool;
}

/** A connection with CONNECTION_SETTINGS and LIMITS, unless `config` has others. Refused by a pooler in transaction mode. */
export function connect({ connectionString = "", ...config }: pg.ClientConfig): Promise<pg.Client> {
  return connectBare({ ...config, connectionString: withOptions(connectionString, CONNECTION_SETTINGS) });
}

/** A connection with LIMITS, otherwise as the server makes it: a pooler accepts no settings. */
export async function connectBare(config: pg.ClientConfig): Promise<pg.Client> {
  const { Client = pg.Client, ...own } = leadingTo({ ...LIMITS, ...config }, config.connectionString ?? "");
  const client = new Client(own);
  client.on("error", ignore);
  await client.connect();
  return endingInTime(client);
}

/** A server that has stopped answering never says goodbye, for which end() waits. */
function endingInTime(client: pg.Client): pg.Client {
  const { connection } = client as unknown as { connection: { stream: Duplex } };
  const sayGoodbye = client.end.bind(client) as () => Promise<void>;
  const end = async () => {
    const timer = setTimeout(() => connection.stream.destroy(), GOODBYE_MS);
    await sayGoodbye().finally(() => clearTimeout(timer));
  };
  return Object.assign(client, { end });
}

/** Adds to an error of `work` which setting has the address, unless it says so already. For the message of a command. */
export async function naming<T>(setting: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error && !("setting" in error) ? Object.assign(error, { setting }) : error;
  }
}

/** Returns the address for what needs a session: locks, settings, temporary tables, COPY. */
export const sessionAddress = (address: Address): string => (typeof address === "string" ? address : address.session);

/** Returns the database address with further settings of the server (`-c name=value`). */
export function withOptions(url: string, settings: Record<string, string | number>): string {
  const [base = "", query = ""] = url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const options = Object.entries(settings).map(
    ([name, value]) => `-c ${name}=${`${value}`.replace(/[\\\s]/g, "\\$&")}`,
  );
  const all = [parameters.get("options"), ...options].filter(Boolean).join(" ");
  parameters.delete("options");
  return `${base}?${parameters}${parameters.size > 0 ? "&" : ""}options=${encodeURIComponent(all)}`;
}

const ignore = () => {};
