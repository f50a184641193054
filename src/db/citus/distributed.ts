import type pg from "pg";

/** Of SQL: marks a statement that Citus would refuse, for which there is another one there (test/db/distributed). */
export const ON_ONE_SERVER = "/* on one server */";

const distributed = new WeakSet<object>();

/** Whether Citus distributes the venues of a pool or client over several servers. Statements then name the tile of their venues. */
export const isDistributed = (database: Pick<pg.Pool, "query">): boolean => distributed.has(database);

export const noteDistributed = (database: Pick<pg.Pool, "query">): void => void distributed.add(database);

export async function findDistributed(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query("SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS has_citus");
  if (!rows[0].has_citus) return false;
  const { rowCount } = await client.query(
    "SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('directory.venue') AND partmethod = 'h'",
  );
  return rowCount === 1;
}
