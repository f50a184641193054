import type { Pool, PoolClient } from "pg";
import { type Db, execute, prepared, queryRows, rawSql } from "../../db/sql.ts";
import type { OtherName } from "../../matching/prepare.ts";
import type { Row } from "./values.ts";

/** Rows of the tables `venue` and `link` as they were, with the names of the columns. */
export interface RowsBefore {
  venue: object;
  links: object[];
  /** Of a venue that was merged: ids of the check-ins there, and of venues that led to it. */
  checkins?: string[];
  moved?: string[];
  /** Other names of the venue that it was merged into. */
  names?: OtherName[];
}

/** @param by who deleted them; `clientId` is null on a page of the directory */
export async function recordDeletions(
  client: PoolClient,
  deletions: readonly { id: string; before: RowsBefore }[],
  { userId, clientId }: { userId: string; clientId: string | null },
): Promise<void> {
  await execute(client)`
    INSERT INTO directory.venue_change (venue_id, kind, user_id, client_id, before)
    SELECT id, 'deleted', ${userId}, ${clientId}, before
      FROM jsonb_to_recordset(${JSON.stringify(deletions)}::jsonb) AS d(id text, before jsonb)`;
}

interface Deletion {
  id: string;
  name: string;
  /** Who had added the venue. */
  creatorId: string | null;
  clientId: string | null;
}

export async function deletionsOf(client: PoolClient, ids: readonly string[]): Promise<Map<string, Deletion>> {
  if (ids.length === 0) return new Map();
  const rows = await queryRows<Deletion>(client)`
    SELECT venue_id AS id, before->'venue'->>'name' AS name, before->'venue'->>'creator_id' AS "creatorId",
           before->'venue'->>'client_id' AS "clientId"
      FROM directory.venue_change WHERE venue_id = ANY (${ids}) AND kind = 'deleted' AND reverted_at IS NULL`;
  return new Map(rows.map((row) => [row.id, row]));
}

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
