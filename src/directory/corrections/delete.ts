import type { PoolClient } from "pg";
import { takeLocks } from "../../db/locks.ts";
import { execute, type PoolDb, queryRows, type Sql, sql } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
import type { Outcome } from "../idempotency.ts";
import type { TokenPair } from "../tokens.ts";
import { noSuchVenue, VENUE_ID, wasDeleted } from "../venues/find.ts";
import { countCheckins, lockVenues } from "./merged-names.ts";
import { type Found, refusalOf, refusedChange, usesOf, venuesWith } from "./own.ts";
import { deletionsOf, recordDeletions } from "./record.ts";

interface Named {
  id: string;
  name: string;
}

/**
 * Deletes venues in one transaction and returns what became of each. Only the user and application that added a venue may do so,
 * within a day, and only if nobody else has used it. Their own links go with it. Repeating a deletion has no effect.
 * @param asked ids, each at most once
 */
export const deleteVenues = (db: PoolDb, asked: readonly string[], caller: TokenPair): Promise<Outcome<Named>[]> =>
  inTransaction(db, async (client) => {
    const ids = asked.filter((id) => VENUE_ID.test(id));
    await lockNew(client, ids);
    // Waits for check-ins and links that are being added, so that the reads after it see them.
    await lockVenues(client, ids);
    const venues = (await venuesWith(client, ids, caller)).filter(({ isHidden }) => !isHidden);
    const uses = await usesOf(client, ids, caller);
    const refusals = new Map(
      venues.flatMap((venue) => {
        const refusal = refusalOf(venue, uses.get(venue.id), "delete");
        return refusal ? [[venue.id, refusal]] : [];
      }),
    );
    const wanted = venues.filter(({ id }) => !refusals.has(id));
    const done = new Map((await removeVenues(client, wanted, caller)).map((venue) => [venue.id, venue]));
    for (const { id } of wanted) if (!done.has(id)) refusals.set(id, refusedChange("visited", "delete"));
    await withdrawNew(client, [...done.keys()]);
    const gone = await deletionsOf(
      client,
      ids.filter((id) => !done.has(id)),
    );
    return asked.map((id): Outcome<Named> => {
      const deleted = done.get(id);
      if (deleted) return { done: deleted };
      const before = gone.get(id);
      if (before && isOwn(before, caller)) return { done: { id, name: before.name } };
      if (before) return { error: wasDeleted() };
      return {
        error: refusals.get(id) ?? (uses.get(id) === "moved" ? refusedChange("moved", "delete") : noSuchVenue()),
      };
    });
  });

/** Deletes a venue that is held (venues/held.ts) with the check-ins there, which are those of the user who added it. */
export async function removeHeld(
  client: PoolClient,
  id: string,
  by: { userId: string; clientId: string | null },
): Promise<void> {
  await lockVenues(client, [id]);
  await execute(client)`DELETE FROM directory.checkin WHERE venue_id = ${id}`;
  await countCheckins(client, [id]);
  await removeVenues(client, await venuesWith(client, [id], { ...by, clientId: "" }), by);
}

/** On several servers a check-in may have come since; such a venue stays. */
async function removeVenues(
  client: PoolClient,
  venues: readonly Pick<Found, "id" | "name" | "row">[],
  by: { userId: string; clientId: string | null },
): Promise<Named[]> {
  if (venues.length === 0) return [];
  const ids = venues.map(({ id }) => id);
  const links = await queryRows<{ venueId: string; row: object }>(client)`
    SELECT venue_id AS "venueId", to_jsonb(l) AS row FROM directory.link l WHERE venue_id = ANY (${ids})`;
  const rows = await queryRows<{ id: string }>(client)`
    DELETE FROM directory.venue WHERE id = ANY (${ids}) AND checkins_count = 0 RETURNING id`;
  const deleted = new Set(rows.map(({ id }) => id));
  await execute(client)`
    DELETE FROM directory.link WHERE venue_id = ANY (${[...deleted]})`; // on several servers no foreign key does
  const removed = venues.filter(({ id }) => deleted.has(id));
  const linksBy = Map.groupBy(links, ({ venueId }) => venueId);
  const before = ({ id, row }: Pick<Found, "id" | "row">) => ({
    venue: row,
    links: (linksBy.get(id) ?? []).map((link) => link.row),
  });
  await recordDeletions(
    client,
    removed.map((venue) => ({ id: venue.id, before: before(venue) })),
    by,
  );
  return removed.map(({ id, name }) => ({ id, name }));
}

/** The proposals that hold the venues. */
const holds = (ids: readonly string[]): Sql => sql`venue_id = ANY (${ids}) AND state = 'open' AND is_new`;

/** Locks the proposals of held venues. Call it before the venues are locked, as decisions do, to avoid deadlocks. */
async function lockNew(client: PoolClient, ids: readonly string[]): Promise<void> {
  await takeLocks(client, sql`SELECT FROM directory.venue_proposal WHERE ${holds(ids)} ORDER BY id FOR UPDATE`);
}

/** Those that were held wait no longer. */
async function withdrawNew(client: PoolClient, ids: readonly string[]): Promise<void> {
  await execute(client)`
    UPDATE directory.venue_proposal SET state = 'withdrawn', decided_at = now()
     WHERE ${holds(ids)}`;
}

const isOwn = (before: { creatorId: string | null; clientId: string | null }, { userId, clientId }: TokenPair) =>
  before.creatorId === userId && before.clientId === clientId;
