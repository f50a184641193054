import type { PoolClient } from "pg";
import { type Db, execute, type PoolDb, queryRow } from "../../db/sql.ts";
import { inTransaction } from "../../db/transactions.ts";
import { t } from "../../language/translate.ts";
import { badRequest, KnownError } from "../../shared/errors.ts";
import { VENUE_ID } from "../venues/find.ts";
import { readVenue } from "./edit.ts";
import { joinVenues, lockVenues, type Merge } from "./merged-names.ts";
import { readRow } from "./values.ts";

/**
 * Merges a venue into another for a user, and records what it takes to revert that. Returns the id of the change. Throws KnownError 400 for a venue and
 * itself, 409 if one of them is not there any more.
 */
export async function mergeVenue(
  db: PoolDb,
  merge: Merge,
  { userId, clientId = null }: { userId: string; clientId?: string | null },
): Promise<string> {
  return inTransaction(db, (client) => mergeIn(client, merge, { userId, clientId }));
}

interface MergedBy {
  userId: string;
  clientId: string | null;
}

export async function mergeIn(
  client: PoolClient,
  { id, into }: Merge,
  { userId, clientId }: MergedBy,
): Promise<string> {
  if (id === into) throw badRequest(t("A venue cannot be merged into itself."));
  const there = await lockVenues(
    client,
    [id, into].filter((each) => VENUE_ID.test(each)),
  );
  const missing = [id, into].find((each) => !there.has(each));
  if (missing !== undefined)
    throw new KnownError(
      409,
      "conflict",
      t("The venue {id} no longer exists: it was merged or deleted.", { id: missing }),
    );
  if ((await readVenue(client, into)).heldFor !== null)
    throw new KnownError(409, "conflict", t("This venue is waiting for approval."));
  const change = await recordMerge(client, { id, into }, { userId, clientId });
  await joinVenues(client, [{ id, into }]);
  await acceptNew(client, { id, into }, { change, userId });
  return change;
}

/** A venue that was held waits no longer. */
async function acceptNew(
  client: PoolClient,
  { id, into }: Merge,
  { change, userId }: { change: string; userId: string },
): Promise<void> {
  await execute(client)`
    UPDATE directory.venue_proposal
       SET state = 'accepted', into_id = ${into}, change_id = ${change}, decided_by = ${userId}, decided_at = now()
     WHERE venue_id = ${id} AND state = 'open' AND is_new`;
}

/** The change that has merged a venue away, for a call that is repeated because its answer was lost. */
export async function mergeOf(db: Db, id: string): Promise<string | undefined> {
  const row = await queryRow<{ change: string }>(db)`
    SELECT id::text AS change FROM directory.venue_change
     WHERE venue_id = ${id} AND kind = 'merged' AND reverted_at IS NULL`;
  return row?.change;
}

/** Reads the venue by a statement of its own: joined to the others, Citus may take seconds to compile it. */
async function recordMerge(client: PoolClient, { id, into }: Merge, by: MergedBy): Promise<string> {
  const venue = await readRow(client, id);
  const names = (await readRow(client, into))?.other_names ?? [];
  const row = await queryRow<{ change: string }>(client)`
    INSERT INTO directory.venue_change (venue_id, kind, into_id, user_id, client_id, before)
    SELECT ${id}, 'merged', ${into}, ${by.userId}, ${by.clientId}, jsonb_build_object('venue', ${JSON.stringify(venue) ?? null}::jsonb,
             'links', l.rows, 'checkins', c.ids, 'moved', m.ids, 'names', ${JSON.stringify(names)}::jsonb)
      FROM (SELECT coalesce(jsonb_agg(to_jsonb(l)), '[]') AS rows FROM directory.link l WHERE venue_id = ${id}) l,
           (SELECT coalesce(jsonb_agg(id), '[]') AS ids FROM directory.checkin WHERE venue_id = ${id}) c,
           (SELECT coalesce(jsonb_agg(id), '[]') AS ids FROM directory.moved_venue WHERE venue_id = ${id}) m
    RETURNING id::text AS change`;
  return row?.change ?? "";
}
