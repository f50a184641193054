import type { Pool } from "pg";
import { deleteRows } from "../db/bulk.ts";
import { sweepSessions } from "../http/pages/sessions.ts";
import { refreshStalePlaces } from "./places/refresh.ts";

/** Deletes what has expired. Used codes stay until they expire, to detect replays. */
export async function sweepDirectory(pool: Pool): Promise<void> {
  await deleteRows(pool, "directory.authorization_request", "expires_at < now()");
  await deleteRows(pool, "directory.authorization_code", "expires_at < now() - interval '1 hour'");
  await deleteRows(pool, "directory.idempotency_key", "created_at < now() - interval '7 days'");
  await deleteRows(pool, "directory.rate_count", "window_start < now() - interval '2 hours'");
  await deleteRows(pool, "directory.last_write", "at < now() - interval '1 hour'");
  await sweepSessions(pool, "directory");
  await refreshStalePlaces(pool);
}
