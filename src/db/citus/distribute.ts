import type pg from "pg";
import { KnownError } from "../../shared/errors.ts";
import { findDistributed, ON_ONE_SERVER } from "./distributed.ts";

export interface Distribution {
  venues: number;
  shards: number;
  nodes: string[];
}

/** Foreign keys to the venues. Citus does not support them, because the tables that have them stay on the coordinator. */
const LOST_KEYS = { checkin: "checkin_venue_id_fkey", link: "link_venue_id_fkey" };

/**
 * Distributes the venues by tile over the nodes of a Citus cluster, in one transaction, and copies the categories to all of them.
 * Everything else stays on the coordinator. Throws KnownError if the database is not ready for it, or while servers run.
 */
export async function distribute(client: pg.Client, shards: number): Promise<Distribution> {
  const nodes = await requireCluster(client);
  await requireQuiet(client);
  await client.query("BEGIN");
  try {
    await client.query("SET LOCAL statement_timeout = 0");
    await lockTables(client);
    const venues = await distributeVenues(client, shards);
    await client.query("COMMIT");
    for (const table of ["directory.venue", "directory.category"])
      await client.query("SELECT truncate_local_data_after_distributing_table($1::regclass)", [table]);
    await client.query("ANALYZE directory.venue");
    return { venues, shards, nodes };
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {}); // the connection may be gone, and the transaction with it
    throw error;
  }
}

async function requireCluster(client: pg.Client): Promise<string[]> {
  const { rowCount: has } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  if (!has) throw refused("The database has no extension citus. Without it one server holds all venues.");
  if (await findDistributed(client)) throw refused("The venues are distributed already.");
  const { rows } = await client.query<{ node: string }>(
    "SELECT node_name || ':' || node_port AS node FROM citus_get_active_worker_nodes() ORDER BY 1",
  );
  if (rows.length > 0) return rows.map(({ node }) => node);
  throw refused("The cluster has no node besides the coordinator. Add one: SELECT citus_add_node('host', 5432).");
}

/** Servers plan their statements for one server, and write venues at any time. */
async function requireQuiet(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'samespot%' AND pid <> pg_backend_pid()`,
  );
  const count = rows[0]?.count ?? 0;
  if (count > 0)
    throw refused(`Samespot is still connected (${count} connections). Stop all servers and commands first.`);
}

async function lockTables(client: pg.Client): Promise<void> {
  await client
    .query(
      "LOCK TABLE directory.venue, directory.category, directory.checkin, directory.link IN ACCESS EXCLUSIVE MODE NOWAIT",
    )
    .catch((error) => {
      if (error.code !== "55P03") throw error;
      throw refused("Another program is using the venues. Run this again when it has ended.");
    });
}

async function distributeVenues(client: pg.Client, shards: number): Promise<number> {
  const names = await readNameWords(client);
  // One after another, because the tables refer to each other.
  await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
  await client.query(`SET LOCAL citus.shard_count = ${shards}`);
  for (const [table, key] of Object.entries(LOST_KEYS))
    await client.query(`ALTER TABLE directory.${table} DROP CONSTRAINT IF EXISTS ${key}`);
  await client.query(
    `UPDATE directory.venue SET tile = directory.venue_tile(point) ${ON_ONE_SERVER}
      WHERE tile IS DISTINCT FROM directory.venue_tile(point)`,
  );
  await client.query("ALTER TABLE directory.venue ALTER COLUMN tile SET NOT NULL");
  await client.query("ALTER TABLE directory.venue DROP CONSTRAINT venue_pkey");
  await client.query("ALTER TABLE directory.venue ADD PRIMARY KEY (id, tile)");
  await client.query("DROP MATERIALIZED VIEW directory.name_word");
  await client.query("SELECT create_reference_table('directory.category')");
  await client.query("SELECT create_distributed_table('directory.venue', 'tile')");
  await client.query(names);
  await client.query(ANALYZED_AT);
  const { rows } = await client.query<{ count: number }>("SELECT count(*)::float8 FROM directory.venue");
  return rows[0]?.count ?? 0;
}

/** Citus drops the view of a table that it distributes. */
async function readNameWords(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT 'CREATE MATERIALIZED VIEW directory.name_word AS ' || pg_get_viewdef('directory.name_word'::regclass) AS statement
     UNION ALL
     SELECT indexdef FROM pg_indexes WHERE schemaname = 'directory' AND tablename = 'name_word'`,
  );
  return rows.map(({ statement }) => statement.replace(/;?$/, ";")).join("\n");
}

/** Half the shards have been analysed since. Their own servers do that; the coordinator never does. */
const ANALYZED_AT = `CREATE OR REPLACE FUNCTION directory.venues_analyzed_at() RETURNS TIMESTAMPTZ
  LANGUAGE sql STABLE
  AS $$ SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY nullif(result, '')::timestamptz)
          FROM run_command_on_placements('directory.venue',
            $q$SELECT greatest(last_analyze, last_autoanalyze) FROM pg_stat_user_tables WHERE relid = '%s'::regclass$q$)
         WHERE success $$`;

const refused = (message: string) => new KnownError(409, "conflict", message);
