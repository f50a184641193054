import type { Pool } from "pg";
import { deleteRows } from "../../db/bulk.ts";
import { expireFiles } from "../../harmonize/run/expiry.ts";
import type { Logger } from "../../http/logger.ts";
import { sweepSessions } from "../../http/pages/sessions.ts";
import type { Web } from "./deps.ts";

/** Deletes expired log-in attempts, sessions, tokens and processes, and the records of sent forms (new venues and check-ins), calls and webhooks. Call it regularly. */
export async function sweepWeb(pool: Pool): Promise<void> {
  await deleteRows(pool, "app.login_attempt", "expires_at < now() - interval '1 hour'");
  await deleteRows(pool, "app.instance", "seen_at < now() - interval '1 hour'");
  await deleteRows(pool, "app.venue_add", "created_at < now() - interval '30 days'");
  await deleteRows(pool, "app.checkin_add", "created_at < now() - interval '30 days'");
  await deleteRows(pool, "app.api_token", "least(ended_at, expires_at) < now() - interval '90 days'");
  await deleteRows(pool, "app.webhook_delivery", "created_at < now() - interval '30 days'");
  await deleteRows(pool, "app.api_call", "created_at < now() - interval '1 day'");
  await sweepSessions(pool, "app");
}

/** Deletes the files of listings that nobody has used for KEEP_FILES_DAYS. Call it regularly. */
export async function sweepFiles(
  { harmonizer, config }: Pick<Web, "harmonizer" | "config">,
  log: Logger,
): Promise<void> {
  const files = await expireFiles(harmonizer, config.keepFilesDays);
  if (files > 0) log.info({ files }, "files of listings that nobody has used are deleted (KEEP_FILES_DAYS)");
}
