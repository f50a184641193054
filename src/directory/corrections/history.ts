import type { Pool } from "pg";
import { type Db, prepared, queryRows, rawSql } from "../../db/sql.ts";
import type { Row } from "./columns.ts";

export interface Change {
  id: string;
  kind: "deleted" | "merged" | "edited";
  venueId: string;
  name: string;
  intoId: string | null;
  /** With `edited`: the changed columns of the table `venue`, and what they were. */
  after: Row | null;
  before: Row;
  at: Date;
  /** Handles; null if the user was deleted. */
  actor: string | null;
  /** Handles of those who proposed it, if others than the actor did. */
  proposers: string | null;
  revertedAt: Date | null;
  revertedBy: string | null;
}

const MOST = 50;

/** The last changes, newest first, of one of these venues or of all. */
export async function listChanges(db: Db, venueIds: readonly string[]): Promise<Change[]> {
  return queryRows<Change>(prepared(db))`
    SELECT c.id::text, c.kind, c.venue_id AS "venueId", c.before->'venue'->>'name' AS name, c.into_id AS "intoId", c.after, c.before->'venue' AS before, c.at,
           u.handle AS actor,
           (SELECT string_agg(h.handle, ', ' ORDER BY p.id)
             FROM directory.venue_proposal p JOIN directory."user" h ON h.id = p.user_id
             WHERE p.change_id = c.id
               AND p.user_id <> c.user_id) AS proposers, c.reverted_at AS "revertedAt", r.handle AS "revertedBy"
      FROM directory.venue_change c
      LEFT JOIN directory."user" u ON u.id = c.user_id LEFT JOIN directory."user" r ON r.id = c.reverted_by
     WHERE ${venueIds} = '{}' OR c.venue_id = ANY (${venueIds}::text[]) OR c.into_id = ANY (${venueIds}::text[])
     ORDER BY c.id DESC LIMIT ${rawSql(MOST)}`;
}

/** Returns those of the ids that lead to an open venue because an operator merged them, so that no import adds them again. */
export async function mergedByOperators(client: Pick<Pool, "query">, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const merged = await queryRows<{ id: string; into: string }>(client)`
    SELECT m.id, m.venue_id AS "into" FROM directory.moved_venue m
     WHERE m.id = ANY (${ids}) AND EXISTS (
       SELECT FROM directory.venue_change c WHERE c.venue_id = m.id AND c.kind = 'merged' AND c.reverted_at IS NULL)`;
  if (merged.length === 0) return new Set();
  const rows = await queryRows<{ id: string }>(client)`
    SELECT id FROM directory.venue WHERE id = ANY (${merged.map(({ into }) => into)}) AND closed_at IS NULL`;
  const open = new Set(rows.map(({ id }) => id));
  return new Set(merged.flatMap(({ id, into }) => (open.has(into) ? id : [])));
}
