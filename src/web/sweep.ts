import type { Pool } from "pg";
import { sweepSessions } from "../http/session-store.ts";

/** Deletes log-in attempts and sessions that are long over. Call it now and then. */
export async function sweepWeb(pool: Pool): Promise<void> {
  await pool.query("DELETE FROM app.login_attempt WHERE expires_at < now() - interval '1 hour'");
  await sweepSessions(pool, "app");
}
