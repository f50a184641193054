import { setTimeout as after } from "node:timers/promises";
import pg from "pg";
import { databaseHosts } from "../shared/database-hosts.ts";

/** Of a search for the primary, which all connections share. Who waits less tries again, and gets what it has found meanwhile. */
const SEARCH_MS = 10_000;
/** After this a search is old, while it may still find the primary for those who wait. */
const OLD_MS = 2000;
/** How much longer a host that is listed before the primary may take to answer. */
const SILENT_MS = 700;

/**
 * Returns the configuration of connections to the address. If it lists several hosts, a new connection leads to the first
 * one that takes writes, so after a failover the next connections lead to the new primary.
 */
export function leadingTo<Config extends pg.ClientConfig>(config: Config, url: string) {
  const hosts = databaseHosts(url);
  const [first = url] = hosts;
  return { ...config, connectionString: first, ...(hosts.length > 1 && { Client: clientOf(hosts) }) };
}

interface Search {
  begun: number;
  /** Undefined until it is found. */
  found?: string;
  primary: Promise<string>;
}

const searches = new Map<string, Search>();

const keyOf = (hosts: readonly string[]) => hosts.map((host) => host.replace(/\?.*/s, "")).join();

/** To be called when a connection was lost: the primary may have moved. */
export const forgetPrimary = (url: string): void => void searches.delete(keyOf(databaseHosts(url)));

/** Returns what was found, or the search that goes on: a new one if that is old, because a host may have become the primary since. */
function primaryOf(hosts: readonly string[]): Promise<string> {
  const key = keyOf(hosts);
  const last = searches.get(key);
  if (last && (last.found !== undefined || performance.now() - last.begun < OLD_MS)) return last.primary;
  const search: Search = { begun: performance.now(), primary: findPrimary(hosts) };
  searches.set(key, search);
  search.primary.then(
    (primary) => Object.assign(search, { found: primary }),
    () => searches.get(key) === search && searches.delete(key),
  );
  return search.primary;
}

function clientOf(hosts: readonly string[]): typeof pg.Client {
  return class PrimaryClient extends pg.Client {
    #patienceMs: number;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      this.#patienceMs = (typeof config === "object" && config.connectionTimeoutMillis) || SEARCH_MS;
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error?: Error) => void): void;
    override connect(callback?: (error?: Error) => void) {
      const connected = this.#connectToPrimary();
      if (!callback) return connected;
      connected.then(() => callback(), callback);
      return undefined;
    }

    async #connectToPrimary(): Promise<pg.Client> {
      this.on("error", () => {}); // until the owner's listener is there
      try {
        const primary = await inTime(this.#patienceMs, primaryOf(hosts));
        await this.#connectTo(primary);
        return this;
      } catch (error) {
        this.end().catch(() => {});
        throw error;
      }
    }

    async #connectTo(primary: string): Promise<void> {
      const { hostname, port } = new URL(primary);
      Object.assign(this, { host: hostname, port: Number(port || 5432) });
      try {
        if (await connectAndSee(this, () => super.connect())) throw readOnly(hosts);
      } catch (error) {
        searches.delete(keyOf(hosts));
        throw error;
      }
    }
  };
}

/** With the driver's words, by which isUnavailable() knows it. */
async function inTime<T>(patienceMs: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const late = after(patienceMs, undefined, { signal: ended.signal }).then(() => {
    throw new Error("timeout expired");
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => {});
    ended.abort();
  }
}

/** Asks all hosts at once, and prefers the one listed first. Throws the first host's error if none takes writes. */
async function findPrimary(hosts: readonly string[]): Promise<string> {
  const probes = hosts.map((host) => probe(host).catch((error: unknown) => ({ error })));
  for (const [at, answer] of probes.entries())
    if ((await Promise.race([answer, laterPrimary(probes.slice(at + 1))])) === "primary") return hosts[at] ?? "";
  const answers = await Promise.all(probes);
  const failed = answers.find((answer) => typeof answer === "object");
  throw answers.includes("standby") || !failed ? readOnly(hosts) : failed.error;
}

/** Ends a moment after one of the probes has found the primary; otherwise never. */
function laterPrimary(probes: Promise<unknown>[]): Promise<"elsewhere"> {
  return new Promise((resolve) => {
    for (const each of probes)
      each.then((answer) => answer === "primary" && setTimeout(resolve, SILENT_MS, "elsewhere"));
  });
}

async function probe(url: string): Promise<"primary" | "standby"> {
  const limits = { connectionTimeoutMillis: SEARCH_MS, query_timeout: SEARCH_MS };
  const client = new pg.Client({ connectionString: url, application_name: "samespot", ...limits });
  client.on("error", () => {});
  try {
    return (await connectAndSee(client, () => client.connect())) ? "standby" : "primary";
  } finally {
    client.end().catch(() => {});
  }
}

/** Connects, and returns whether the server is a standby. PostgreSQL says so as the connection begins; whoever does not is asked. */
async function connectAndSee(client: pg.Client, connect: () => Promise<unknown>): Promise<boolean> {
  let said: string | undefined;
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  connection.on("parameterStatus", ({ parameterName, parameterValue }) => {
    if (parameterName === "in_hot_standby") said = parameterValue;
  });
  await connect();
  if (said !== undefined) return said === "on";
  const { rows } = await client.query("SELECT pg_is_in_recovery() AS it");
  return rows[0].it;
}

/** With PostgreSQL's code for a read-only server, so that it counts as unavailable. */
const readOnly = (hosts: readonly string[]) =>
  Object.assign(new Error(`none of the ${hosts.length} hosts takes writes`), { code: "25006" });
