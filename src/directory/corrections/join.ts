import type { PoolClient } from "pg";
import { isDistributed } from "../../db/citus/distributed.ts";
import { lockOnCoordinator, takeLocks } from "../../db/locks.ts";
import { execute, queryRows, rawSql, sql } from "../../db/sql.ts";
import type { Tile } from "../venues/tiles.ts";
import { giveNames } from "./merged-names.ts";

/** A venue that is to lead to another. */
export interface Merge {
  id: string;
  into: string;
}

/**
 * Makes venues one with others that stay: names, links, check-ins and older redirects follow, and their ids lead to the others for
 * ever. In the transaction of the client. Returns the merges of venues that were still there.
 */
export async function joinVenues(client: PoolClient, merges: readonly Merge[]): Promise<Merge[]> {
  const there = await lockVenues(
    client,
    merges.flatMap(({ id, into }) => [id, into]),
  );
  const done = merges.filter(({ id, into }) => there.has(id) && there.has(into));
  const gone = done.map(({ id }) => id);
  const staying = done.map(({ into }) => into);
  const become = (table: "link" | "moved_venue" | "checkin") => execute(client)`
    UPDATE directory.${rawSql(table)} t SET venue_id = m."into" FROM unnest(${gone}::text[], ${staying}::text[]) AS m (id, "into")
     WHERE t.venue_id = m.id`;
  await become("link");
  await become("moved_venue");
  if ((await become("checkin")) > 0) await countCheckins(client, staying);
  await execute(client)`
    INSERT INTO directory.moved_venue (id, venue_id) SELECT * FROM unnest(${gone}::text[], ${staying}::text[])
    ON CONFLICT (id) DO UPDATE SET venue_id = excluded.venue_id, moved_at = now()`;
  await giveNames(client, done);
  await execute(client)`DELETE FROM directory.venue WHERE id = ANY (${gone})`;
  return done;
}

/** Returns the ids of those that there are. All callers lock in the same order, to avoid deadlocks. */
export async function lockVenues(client: PoolClient, ids: readonly string[]): Promise<Set<string>> {
  if (!isDistributed(client)) return lockIn(client, null, ids);
  await takeLocks(client, lockOnCoordinator(ids));
  const known = await queryRows<{ id: string; tile: number }>(client)`
    SELECT id, tile FROM directory.venue WHERE id = ANY (${ids})`;
  const byTile = [...Map.groupBy(known, ({ tile }) => tile)].sort(([a], [b]) => a - b);
  const locked = new Set<string>();
  for (const [tile, own] of byTile) for (const id of await lockIn(client, tile, idsOf(own))) locked.add(id);
  const moved = known.filter(({ id }) => !locked.has(id)); // to another tile meanwhile, or deleted
  return moved.length === 0 ? locked : new Set([...locked, ...(await lockVenues(client, idsOf(moved)))]);
}

const idsOf = (venues: readonly { id: string }[]) => venues.map(({ id }) => id);

async function lockIn(client: PoolClient, tile: Tile, ids: readonly string[]): Promise<Set<string>> {
  const isThere = tile === null ? sql`true` : sql`v.tile = ${tile}`;
  const { rows } = await takeLocks<{ id: string }>(
    client,
    sql`SELECT id FROM directory.venue v WHERE ${isThere} AND id = ANY (${ids}) ORDER BY id COLLATE "C" FOR UPDATE`,
  );
  return new Set(idsOf(rows));
}

export async function countCheckins(client: PoolClient, ids: readonly string[]): Promise<void> {
  await execute(client)`
    UPDATE directory.venue v SET checkins_count = c.checkins, users_count = c.users
      FROM (SELECT i.id, count(c.id)::int AS checkins, count(DISTINCT c.user_id)::int AS users
              FROM (SELECT DISTINCT unnest(${ids}::text[]) AS id) i LEFT JOIN directory.checkin c ON c.venue_id = i.id GROUP BY i.id) c
     WHERE v.id = c.id`;
}
