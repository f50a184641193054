import type { PoolClient } from "pg";
import { isDistributed } from "../../db/citus/distributed.ts";
import { lockOnCoordinator, takeLocks } from "../../db/locks.ts";
import { execute, queryRows, rawSql, sql } from "../../db/sql.ts";
import type { OtherName } from "../../matching/prepare.ts";
import { otherNamesNorm, otherNamesOf } from "../venues/other-names.ts";
import type { Tile } from "../venues/tiles.ts";

interface Named {
  id: string;
  name: string;
  otherNames: OtherName[] | null;
}

/** Gives the venues that stay the names of those that become one with them. */
async function giveNames(client: PoolClient, merges: readonly { id: string; into: string }[]): Promise<void> {
  const named = await namesOf(
    client,
    merges.flatMap(({ id, into }) => [id, into]),
  );
  const given = [...Map.groupBy(merges, ({ into }) => into)].flatMap(([into, own]): Named[] => {
    const venue = named.get(into);
    const names = own.flatMap(({ id }) => allNamesOf(named.get(id)));
    return venue ? [{ ...venue, otherNames: otherNamesOf(venue.name, [...(venue.otherNames ?? []), ...names]) }] : [];
  });
  await writeNames(
    client,
    given.filter(({ id, otherNames }) => !isSame(otherNames, named.get(id)?.otherNames ?? null)),
  );
}

/** Takes from a venue the names that the merge of another gave it. `had`: those that it had before. */
export async function takeNames(
  client: PoolClient,
  { into, merged, had }: { into: string; merged: { name: string; other_names: OtherName[] | null }; had: OtherName[] },
): Promise<void> {
  const venue = (await namesOf(client, [into])).get(into);
  if (!venue?.otherNames) return;
  const given = new Set([merged.name, ...(merged.other_names ?? []).map(({ name }) => name)]);
  const kept = venue.otherNames.filter(
    (each) => !each.merged || !given.has(each.name) || had.some(({ name }) => name === each.name),
  );
  await writeNames(client, [{ ...venue, otherNames: otherNamesOf(venue.name, kept) }]);
}

/** Gives venues of the table `incoming` the names of those that were merged into them, which no file has. */
export async function keepMergedNames(client: PoolClient, ids: readonly string[]): Promise<void> {
  const rows = await queryRows<Named & { incoming: OtherName[] | null }>(client)`
    SELECT v.id, i.name, v.other_names AS "otherNames", i.other_names AS incoming
      FROM directory.venue v JOIN incoming i ON i.id = v.id
     WHERE v.id = ANY (${ids}) AND v.other_names @> '[{"merged": true}]'`;
  const kept = rows.map(({ id, name, otherNames, incoming }) => {
    const merged = (otherNames ?? []).filter((each) => each.merged);
    return { id, name, otherNames: otherNamesOf(name, [...(incoming ?? []), ...merged]) };
  });
  await writeNames(client, kept, "incoming");
}

const allNamesOf = (venue: Named | undefined): OtherName[] =>
  venue
    ? [
        { kind: "alternate", name: venue.name, merged: true },
        ...(venue.otherNames ?? []).map((each) => ({ ...each, merged: true as const })),
      ]
    : [];

async function namesOf(client: PoolClient, ids: readonly string[]): Promise<Map<string, Named>> {
  const rows = await queryRows<Named>(client)`
    SELECT id, name, other_names AS "otherNames" FROM directory.venue WHERE id = ANY (${ids})`;
  return new Map(rows.map((row) => [row.id, row]));
}

async function writeNames(
  client: PoolClient,
  venues: readonly Named[],
  table: "directory.venue" | "incoming" = "directory.venue",
): Promise<void> {
  if (venues.length === 0) return;
  const rows = venues.map(({ id, otherNames }) => ({ id, names: otherNames, norm: otherNamesNorm(otherNames) }));
  await execute(client)`
    UPDATE ${rawSql(table)} v SET other_names = n.names, other_names_norm = n.norm
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (id text, names jsonb, norm text) WHERE v.id = n.id`;
}

const isSame = (a: OtherName[] | null, b: OtherName[] | null): boolean => JSON.stringify(a) === JSON.stringify(b);

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
