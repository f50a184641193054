import pg from "pg";
import { databaseHosts } from "../shared/database-hosts.ts";

/** Of one host's answer, so that finding the primary takes less than a page waits. */
const PROBE_MS = 700;

/**
 * Returns the configuration of connections to the address. If it lists several hosts, a new connection leads to the first
 * one that takes writes, so after a failover the next connections lead to the new primary.
 */
export function leadingTo<Config extends pg.ClientConfig>(config: Config, url: string) {
  const hosts = databaseHosts(url);
  const [first = url] = hosts;
  return { ...config, connectionString: first, ...(hosts.length > 1 && { Client: clientOf(hosts) }) };
}

/** The primary of each list of hosts, as last found. */
const known = new Map<string, string>();

const keyOf = (hosts: readonly string[]) => hosts.map((host) => host.replace(/\?.*/s, "")).join();

/** To be called when a connection was lost: the primary may have moved. */
export const forgetPrimary = (url: string): void => void known.delete(keyOf(databaseHosts(url)));

function clientOf(hosts: readonly string[]): typeof pg.Client {
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
      const key = keyOf(hosts);
      const primary = known.get(key) ?? (await findPrimary(hosts));
      try {
        const { hostname, port } = new URL(primary);
        Object.assign(this, { host: hostname, port: Number(port || 5432) });
        await super.connect();
        if (await isStandby(this)) throw readOnly();
        known.set(key, primary);
        return this;
      } catch (error) {
        known.delete(key);
        this.end().catch(() => {});
        throw error;
      }
    }
  };
}

/** Asks all hosts at once, and prefers the one listed first. Throws the first host's error if none takes writes. */
async function findPrimary(hosts: readonly string[]): Promise<string> {
  const probes = hosts.map((host) => probe(host).catch((error: unknown) => ({ error })));
  for (const [at, answer] of probes.entries()) if ((await answer) === "primary") return hosts[at] ?? "";
  const answers = await Promise.all(probes);
  const failed = answers.find((answer) => typeof answer === "object");
  throw answers.includes("standby") || !failed ? readOnly() : failed.error;
}

async function probe(url: string): Promise<"primary" | "standby"> {
  const limits = { connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS };
  const client = new pg.Client({ connectionString: url, application_name: "samespot", ...limits });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await isStandby(client)) ? "standby" : "primary";
  } finally {
    client.end().catch(() => {});
  }
}

async function isStandby(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("SELECT pg_is_in_recovery() AS it");
  return rows[0].it;
}

/** With PostgreSQL's code for a read-only server, so that it counts as unavailable. */
const readOnly = () => Object.assign(new Error("none of the hosts in DATABASE_URL takes writes"), { code: "25006" });
