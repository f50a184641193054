import type { PoolClient } from "pg";
import { findDistributed, ON_ONE_SERVER } from "../../db/citus/distributed.ts";
import { COLUMNS } from "./venue-row.ts";

/** Columns that a file does not change. */
export const KEPT = ["creator_id", "client_id", "checkins_count", "users_count", "created_at"] as const;

const names = COLUMNS.join(", ");
const values = COLUMNS.map((name) => `i.${name}`).join(", ");

/**
 * Gives venues of the table `incoming` the tiles that they have there. Between servers that is a deletion and an insertion.
 * Returns how many were written with all their columns.
 */
export async function moveVenues(client: PoolClient, ids: string[]): Promise<number> {
  if (!(await findDistributed(client))) {
    await client.query(
      `UPDATE directory.venue v SET tile = i.tile ${ON_ONE_SERVER} FROM incoming i WHERE v.id = i.id AND v.id = ANY ($1)`,
      [ids],
    );
    return 0;
  }
  await client.query("BEGIN");
  const { rows } = await client.query(
    `DELETE FROM directory.venue WHERE id = ANY ($1) RETURNING id, creator_id, client_id, checkins_count, users_count,
            extract(epoch FROM created_at AT TIME ZONE 'UTC')::float8 AS created`,
    [ids],
  );
  await client.query(
    `INSERT INTO directory.venue (${names}, closed_at, ${KEPT.join(", ")})
     SELECT ${values}, i.closed_at, k.creator_id, k.client_id, k.checkins_count, k.users_count, to_timestamp(k.created)
       FROM incoming i JOIN json_to_recordset($1) AS k (id text, creator_id text, client_id text, checkins_count int,
                                                         users_count int, created float8) ON k.id = i.id`,
    [JSON.stringify(rows)],
  );
  await client.query("COMMIT");
  return rows.length;
}
