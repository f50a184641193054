import pg from "pg";
import { distribute } from "../../../src/db/citus/distribute.ts";
import { migrate } from "../../../src/db/migrate.ts";

/** A database with the extension citus and nodes besides its coordinator. Its user may create databases on all of them. */
export const CITUS_URL = process.env.TEST_CITUS_URL;

/** Of each node, with both extensions, because creating them takes as long as all the rest. */
const TEMPLATE = "samespot_with_citus";

/** Creates a database on all nodes, joins them, migrates and distributes it. Citus copies no distributed tables. */
export async function createOnCitus(name: string, shards = 8): Promise<string> {
  const { coordinator, workers } = await nodesOf(CITUS_URL ?? "");
  for (const node of [coordinator, ...workers]) {
    await on(node, CITUS_URL ?? "", async (client) => {
      await makeTemplate(client, node);
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
    });
  }
  await on(coordinator, CITUS_URL ?? "", async (locking) => {
    await locking.query("SELECT pg_advisory_lock(hashtext('nodes'))"); // two at once would alter the same role
    await on(coordinator, urlOf(name), async (client) => {
      await client.query("SELECT citus_set_coordinator_host($1, $2)", [coordinator.host, coordinator.port]);
      for (const { host, port } of workers) await client.query("SELECT citus_add_node($1, $2)", [host, port]);
    });
  });
  await migrate(urlOf(name));
  await on(coordinator, urlOf(name), (client) => distribute(client, shards));
  return urlOf(name);
}

async function makeTemplate(client: pg.Client, node: Node): Promise<void> {
  await client.query("SELECT pg_advisory_lock(hashtext($1))", [TEMPLATE]); // until the connection ends
  const known = await client.query("SELECT FROM pg_database WHERE datname = $1 AND NOT datallowconn", [TEMPLATE]);
  if (known.rowCount) return;
  await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await on(node, urlOf(TEMPLATE), (own) => own.query("CREATE EXTENSION citus; CREATE EXTENSION pg_trgm"));
  await client.query(`ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`);
  await client.query("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1", [TEMPLATE]); // Citus' own
}

export async function dropOnCitus(name: string): Promise<void> {
  const { coordinator, workers } = await nodesOf(CITUS_URL ?? "");
  for (const node of [coordinator, ...workers])
    await on(node, CITUS_URL ?? "", (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

interface Node {
  host: string;
  port: number;
}

async function nodesOf(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client
    .query<Node & { isCoordinator: boolean }>(
      `SELECT nodename AS host, nodeport AS port, groupid = 0 AS "isCoordinator" FROM pg_dist_node ORDER BY nodeid`,
    )
    .finally(() => client.end());
  const coordinator = rows.find(({ isCoordinator }) => isCoordinator);
  if (!coordinator) throw new Error("TEST_CITUS_URL: call citus_set_coordinator_host first.");
  return { coordinator, workers: rows.filter((node) => node !== coordinator) };
}

function urlOf(name: string): string {
  const url = new URL(CITUS_URL ?? "");
  url.pathname = name;
  return url.href;
}

async function on<T>({ host, port }: Node, address: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const url = new URL(address);
  [url.hostname, url.port] = [host, `${port}`];
  const client = new pg.Client(url.href);
  await client.connect();
  return work(client).finally(() => client.end());
}
