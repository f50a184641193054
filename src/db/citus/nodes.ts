import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { isDistributed } from "./distributed.ts";

interface DatabaseNode {
  /** Host and port. */
  name: string;
  answers: boolean;
}

const PATIENCE_MS = 600;
/** A check opens a connection to each node, and anyone may ask for /readyz. */
const FRESH_MS = 3000;

const checks = new WeakMap<pg.Pool, { at: number; nodes: Promise<DatabaseNode[]> }>();

/**
 * Returns the nodes besides the coordinator as they were at most three seconds ago. Returns none if one server holds all
 * venues. Throws if the coordinator does not answer.
 */
export async function lookAtNodes(pool: pg.Pool): Promise<DatabaseNode[]> {
  if (!isDistributed(pool)) return [];
  const last = checks.get(pool);
  if (last && performance.now() < last.at + FRESH_MS) return last.nodes;
  const nodes = askNodes(pool);
  checks.set(pool, { at: performance.now(), nodes });
  nodes.catch(() => checks.delete(pool));
  return nodes;
}

async function askNodes(pool: pg.Pool): Promise<DatabaseNode[]> {
  const { rows } = await pool.query<{ host: string; port: number }>(
    "SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE isactive AND groupid <> 0 ORDER BY 1, 2",
  );
  return Promise.all(
    rows.map(async ({ host, port }) => {
      const late = sleep(PATIENCE_MS, false, { ref: false });
      const asking = askNode(pool, host, port).catch(() => false);
      return { name: `${host}:${port}`, answers: await Promise.race([asking, late]) };
    }),
  );
}

async function askNode(pool: pg.Pool, host: string, port: number): Promise<boolean> {
  const { rows } = await pool.query<{ success: boolean }>(
    "SELECT success FROM master_run_on_worker(ARRAY[$1::text], ARRAY[$2::int], ARRAY['SELECT 1'], false)",
    [host, port],
  );
  return rows[0]?.success === true;
}

/** For /readyz: information, because the others serve their venues. */
export async function aboutNodes(pool: pg.Pool): Promise<object> {
  const nodes = await lookAtNodes(pool);
  return nodes.length > 0 ? { nodes } : {};
}
