import type { Pool } from "pg";
import { deleteRows } from "../../db/bulk/delete-rows.ts";
import { sweepSessions } from "../../http/sessions/session-store.ts";

/** Deletes expired log-in attempts, sessions and processes, and the records of sent forms (new venues and check-ins). Call it regularly. */
export async function sweepWeb(pool: Pool): Promise<void> {
  await deleteRows(pool, "app.login_attempt", "expires_at < now() - interval '1 hour'");
  await deleteRows(pool, "app.instance", "seen_at < now() - interval '1 hour'");
  await deleteRows(pool, "app.venue_add", "created_at < now() - interval '30 days'");
  await deleteRows(pool, "app.checkin_add", "created_at < now() - interval '30 days'");
  await sweepSessions(pool, "app");
}
