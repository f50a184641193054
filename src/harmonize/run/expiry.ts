import { execute, prepared, type Sql, sql } from "../../db/sql.ts";
import type { Harmonizer } from "./deps.ts";
import { AT_WORK, HIDDEN_STATES } from "./harmonizations.ts";

/** Days before its deletion from which on a file says when that is. */
const WARNED_DAYS = 7;

/** SQL: when a file `h` was last used. */
const USED = sql`greatest(h.created_at, h.matched_at, h.used_at)`;

// SQL: since when nobody has used each file. The newest edition of a list, and the one before it, whose decisions and comparisons it goes
// on from, count as used with any edition of the list; the others are of use to nobody but those who use them.
const unusedAt = (directory: string): Sql => sql`RECURSIVE file AS (
    SELECT h.id, h.previous_id, ${USED} AS used FROM app.harmonization h WHERE h.directory = ${directory} AND h.state <> 'deleting'),
  edition AS (
    SELECT f.id AS newest, f.previous_id AS last, f.id, f.previous_id, f.used FROM file f
     WHERE NOT EXISTS (SELECT FROM file n WHERE n.previous_id = f.id)
    UNION SELECT e.newest, e.last, f.id, f.previous_id, f.used FROM edition e JOIN file f ON f.id = e.previous_id),
  list AS (SELECT newest, last, max(used) AS used FROM edition GROUP BY newest, last),
  unused AS (
    SELECT f.id, greatest(f.used, (SELECT max(l.used) FROM list l WHERE f.id IN (l.newest, l.last))) AS since FROM file f)`;

const NOT_READ = ["uploading", "draft", ...AT_WORK];

// SQL: whether a file `h` may go by its age: what anything is still to be done with, or is copied from, or what the next edition has yet to
// take over, stays.
const MAY_GO = sql`h.state::text <> ALL (${[...AT_WORK, ...HIDDEN_STATES]}::text[])
  AND NOT EXISTS (SELECT FROM app.harmonization o WHERE (o.previous_id = h.id AND o.state::text = ANY (${NOT_READ}::text[]))
                     OR (o.task->>'from' = h.id::text AND o.state = 'reading'))
  AND NOT EXISTS (SELECT FROM app.side_task s WHERE s.harmonization_id = h.id AND s.wanted_at IS NOT NULL)
  AND NOT EXISTS (SELECT FROM app.conflict_search c WHERE c.harmonization_id = h.id AND c.wanted_at IS NOT NULL)
  AND NOT EXISTS (SELECT FROM app.listing l WHERE l.harmonization_id = h.id AND l.adding IS NOT NULL)`;

/**
 * Deletes the files that nobody has used for `days`, as a person would, and notes when others go, WARNED_DAYS before. So nothing goes
 * without a warning, also when the setting is new. Without `days` no file goes. Returns how many are being deleted; a worker deletes
 * their rows.
 */
export async function expireFiles(
  db: Pick<Harmonizer, "pool" | "directoryUrl">,
  days: number | undefined,
): Promise<number> {
  const unused = unusedAt(db.directoryUrl);
  const age = sql`make_interval(days => ${days ?? null}::int)`;
  const warned = sql`make_interval(days => ${WARNED_DAYS}::int)`;
  await execute(db)`
    WITH ${unused}, due AS (
      SELECT h.id, unused.since + ${age} AS at FROM unused JOIN app.harmonization h ON h.id = unused.id
       WHERE unused.since < now() - ${age} + ${warned} AND ${MAY_GO}),
    said AS (
      SELECT h.id, CASE WHEN due.id IS NOT NULL THEN greatest(coalesce(h.expires_at, now() + ${warned}), due.at) END AS at
        FROM app.harmonization h LEFT JOIN due ON due.id = h.id
       WHERE h.directory = ${db.directoryUrl} AND (h.expires_at IS NOT NULL OR due.id IS NOT NULL))
    UPDATE app.harmonization h SET expires_at = said.at FROM said
     WHERE h.id = said.id AND h.expires_at IS DISTINCT FROM said.at::timestamptz(3)`;
  if (days === undefined) return 0;
  // Asks everything again: somebody may have used it at this moment. The same that deleteHarmonization() writes.
  return execute(db)`
    WITH ${unused}
    UPDATE app.harmonization h SET state = 'deleting', paused_for = NULL, retry_at = NULL FROM unused
     WHERE h.id = unused.id AND h.expires_at <= now() AND greatest(${USED}, unused.since) <= now() - ${age} AND ${MAY_GO}`;
}

/** Notes that a file is used: it was changed or downloaded. Written once an hour. */
export async function noteUse(db: Pick<Harmonizer, "pool">, id: string): Promise<void> {
  await execute(prepared(db))`
    UPDATE app.harmonization SET used_at = now(), expires_at = NULL
     WHERE id = ${id} AND (expires_at IS NOT NULL OR used_at IS NULL OR used_at < now() - interval '1 hour')`;
}
