import type { PoolClient } from "pg";
import { joinVenues, type Merge } from "../../corrections/merged-names.ts";

/** Like joinVenues(), in one transaction. `announce` is told before it is committed. */
export async function mergeVenues(
  client: PoolClient,
  merges: readonly Merge[],
  announce: (merged: Merge[]) => void = () => {},
): Promise<Merge[]> {
  if (merges.length === 0) return [];
  await client.query("BEGIN");
  try {
    await client.query(WITH_FOREIGN_KEYS);
    const done = await joinVenues(client, merges);
    announce(done);
    await client.query("COMMIT");
    return done;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {}); // the connection may be gone, and the transaction with it
    throw error;
  }
}

/** An import turns them off if it may; here nothing may be added to a venue that goes. */
const WITH_FOREIGN_KEYS = `SELECT set_config('session_replication_role', 'origin', true)
  WHERE current_setting('session_replication_role') <> 'origin'`;
