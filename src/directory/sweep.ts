import type { Pool } from "pg";
import { sweepSessions } from "../http/session-store.ts";
import { refreshStalePlaces } from "./places/refresh.ts";

/**
 * Deletes what has run out in the directory: requests, codes, sessions, remembered answers, counts. A used code stays until
 * then, to know its replay. Gathers the places anew where many venues have changed.
 */
export async function sweepDirectory(pool: Pool): Promise<void> {
  await pool.query(`DELETE FROM directory.authorization_request WHERE expires_at < now()`);
  await pool.query(`DELETE FROM directory.authorization_code WHERE expires_at < now() - interval '1 hour'`);
  await pool.query("DELETE FROM directory.idempotency_key WHERE created_at < now() - interval '7 days'");
  await pool.query("DELETE FROM directory.rate_count WHERE window_start < now() - interval '2 hours'");
  await sweepSessions(pool, "directory");
  await refreshStalePlaces(pool);
}
