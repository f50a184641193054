import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { databaseHosts } from "../shared/database-hosts.ts";
import { within } from "../shared/within.ts";

/** Length of a search for the primary, which all connections share. One that waits less tries again, and gets what the search has found. */
const SEARCH_MS = 10_000;
/** After this others begin a new search, because a host may have become the primary since. */
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
  const patienceMs = config.connectionTimeoutMillis || SEARCH_MS;
  return { ...config, connectionString: first, ...(hosts.length > 1 && { Client: clientOf(hosts, patienceMs) }) };
}

function clientOf(hosts: readonly string[], patienceMs: number): typeof pg.Client {
  return class PrimaryClient extends pg.Client {
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
        // With the driver's words, by which isUnavailable() knows it.
        const primary = await within(primaryOf(hosts), patienceMs, () => new Error("timeout expired"));
        const { hostname, port } = new URL(primary);
        Object.assign(this, { host: hostname, port: Number(port || 5432) });
        await requirePrimary(this, () => super.connect()).catch((error) => {
          searches.delete(keyOf(hosts));
          throw error;
        });
        return this;
      } catch (error) {
        this.end().catch(() => {});
        throw error;
      }
    }
  };
}

/** Those that go on or have found the primary. */
const searches = new Map<string, Promise<string>>();

const keyOf = (hosts: readonly string[]) => hosts.map((host) => host.replace(/\?.*/s, "")).join();

/** To be called when a connection was lost: the primary may have moved. */
export const forgetPrimary = (url: string): void => void searches.delete(keyOf(databaseHosts(url)));

function primaryOf(hosts: readonly string[]): Promise<string> {
  const key = keyOf(hosts);
  const known = searches.get(key);
  if (known) return known;
  const search = findPrimary(hosts);
  const forget = () => void (searches.get(key) === search && searches.delete(key));
  const old = setTimeout(forget, OLD_MS).unref();
  searches.set(key, search);
  search.then(() => searches.set(key, search), forget).finally(() => clearTimeout(old));
  return search;
}

/** Asks all hosts at once, and prefers the one listed first. Throws the first host's error if none answers. */
async function findPrimary(hosts: readonly string[]): Promise<string> {
  const primaries: string[] = [];
  const probes = hosts.map((host) => probe(host).then(() => primaries.push(host)));
  await Promise.any(probes).catch(({ errors }: AggregateError) => {
    throw errors.find(({ code }) => code === READ_ONLY) ?? errors[0];
  });
  const before = probes.slice(0, hosts.indexOf(primaries[0] ?? ""));
  await Promise.race([Promise.allSettled(before), sleep(SILENT_MS, undefined, { ref: false })]);
  return hosts.find((host) => primaries.includes(host)) ?? "";
}

async function probe(url: string): Promise<void> {
  const limits = { connectionTimeoutMillis: SEARCH_MS, query_timeout: SEARCH_MS };
  const client = new pg.Client({ connectionString: url, application_name: "samespot", ...limits });
  client.on("error", () => {});
  await requirePrimary(client, () => client.connect()).finally(() => void client.end().catch(() => {}));
}

/** Connects. Throws if the server takes no writes: PostgreSQL says so as the connection begins; whoever does not is asked. */
async function requirePrimary(client: pg.Client, connect: () => Promise<unknown>): Promise<void> {
  let said: string | undefined;
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  connection.on("parameterStatus", ({ parameterName, parameterValue }) => {
    if (parameterName === "in_hot_standby") said = parameterValue;
  });
  await connect();
  said ??= (await client.query("SELECT CASE WHEN pg_is_in_recovery() THEN 'on' END AS said")).rows[0].said;
  if (said === "on") throw Object.assign(new Error("none of the hosts takes writes"), { code: READ_ONLY });
}

/** PostgreSQL's code for a read-only server, so that it counts as unavailable. */
const READ_ONLY = "25006";
