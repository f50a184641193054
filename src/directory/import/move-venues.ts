import type { PoolClient } from "pg";
import { findDistributed, ON_ONE_SERVER } from "../../db/citus/distributed.ts";
import { execute, queryRows, rawSql } from "../../db/sql.ts";
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
    await execute(client)`
      UPDATE directory.venue v SET tile = i.tile ${rawSql(ON_ONE_SERVER)} FROM incoming i WHERE v.id = i.id AND v.id = ANY (${ids})`;
    return 0;
  }
  await client.query("BEGIN");
  const moved = await queryRows(client)`
    DELETE FROM directory.venue WHERE id = ANY (${ids}) RETURNING id, creator_id, client_id, checkins_count, users_count,
           extract(epoch FROM created_at AT TIME ZONE 'UTC')::float8 AS created`;
  await execute(client)`
    INSERT INTO directory.venue (${rawSql(names)}, closed_at, ${rawSql(KEPT.join(", "))})
    SELECT ${rawSql(values)}, i.closed_at, k.creator_id, k.client_id, k.checkins_count, k.users_count, to_timestamp(k.created)
      FROM incoming i JOIN json_to_recordset(${JSON.stringify(moved)}) AS k (id text, creator_id text, client_id text,
                             checkins_count int, users_count int, created float8) ON k.id = i.id`;
  await client.query("COMMIT");
  return moved.length;
}
