import type { PoolClient } from "pg";
import { execute, queryRows } from "../../db/sql.ts";
import type { OtherName } from "../../matching/prepare.ts";

/** Rows of the tables `venue` and `link` as they were, with the names of the columns. */
export interface Before {
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
  deletions: readonly { id: string; before: Before }[],
  { userId, clientId }: { userId: string; clientId: string | null },
): Promise<void> {
  await execute(client)`
    INSERT INTO directory.venue_change (venue_id, kind, user_id, client_id, before)
    SELECT id, 'deleted', ${userId}, ${clientId}, before
      FROM jsonb_to_recordset(${JSON.stringify(deletions)}::jsonb) AS d(id text, before jsonb)`;
}

export interface Deletion {
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
