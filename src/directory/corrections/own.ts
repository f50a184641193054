import type { Pool, PoolClient } from "pg";
import { DELETABLE_HOURS } from "../../contract/correction-parameters.ts";
import type { Checkin } from "../../db/generated/client.ts";
import { queryRows, rawSql } from "../../db/sql.ts";
import { KnownError, notFound } from "../../shared/errors.ts";
import { lockVenue } from "../checkins.ts";
import type { DirectoryDeps, Transaction } from "../deps.ts";
import { onceEach } from "../idempotency.ts";
import type { TokenPair } from "../tokens.ts";
import { findVenues, seenByOperators } from "../venues/find.ts";
import { type Tile, tileOfPlace } from "../venues/tiles.ts";

export interface Found {
  id: string;
  name: string;
  isOwn: boolean;
  isRecent: boolean;
  isVisited: boolean;
  /** Held (venues/held.ts), and added by another user. */
  isHidden: boolean;
  row: object;
}

export async function venuesWith(client: PoolClient, ids: readonly string[], caller: TokenPair): Promise<Found[]> {
  return queryRows<Found>(client)`
    SELECT v.id, v.name, coalesce(v.creator_id = ${caller.userId} AND v.client_id = ${caller.clientId}, false) AS "isOwn",
           v.created_at > now() - make_interval(hours => ${rawSql(DELETABLE_HOURS)}) AS "isRecent", v.checkins_count > 0 AS "isVisited",
           coalesce(NOT isfinite(v.closed_at) AND v.creator_id <> ${caller.userId}, false) AS "isHidden",
           to_jsonb(v) AS row
      FROM directory.venue v WHERE v.id = ANY (${ids})`;
}

type Use = "linked" | "merged" | "changed" | "moved";

/** What others have done with the venues; `moved`: they were merged into others. */
export async function usesOf(client: PoolClient, ids: readonly string[], caller: TokenPair): Promise<Map<string, Use>> {
  const rows = await queryRows<{ id: string; use: Use }>(client)`
    SELECT l.venue_id AS id, 'linked' AS use FROM directory.link l JOIN directory.provider p ON p.id = l.provider_id
     WHERE l.venue_id = ANY (${ids}) AND (l.user_id <> ${caller.userId} OR p.client_id IS DISTINCT FROM ${caller.clientId})
    UNION SELECT venue_id, 'merged' FROM directory.moved_venue WHERE venue_id = ANY (${ids})
    UNION SELECT id, 'moved' FROM directory.moved_venue WHERE id = ANY (${ids})
    UNION SELECT venue_id, 'changed' FROM directory.venue_change WHERE venue_id = ANY (${ids}) AND user_id <> ${caller.userId}`;
  return new Map(rows.map(({ id, use }) => [id, use]));
}

/** What the user and application that added a venue may do while nobody else uses it. */
type Verb = "delete" | "edit";

export function refusalOf(
  { isOwn, isRecent, isVisited }: Found,
  use: Use | undefined,
  verb: Verb,
): KnownError | undefined {
  const why = !isOwn ? "foreign" : !isRecent ? "old" : isVisited ? "visited" : use;
  return why && refusedChange(why, verb);
}

type Why = Use | "foreign" | "old" | "visited";

export function refusedChange(why: Why, verb: Verb): KnownError {
  if (why === "foreign")
    return new KnownError(
      403,
      "not_authorized",
      `Only the user who added a venue may ${verb} it, with the same application.`,
    );
  return new KnownError(
    409,
    "other",
    why === "old"
      ? `A venue may be ${verb}${verb === "edit" ? "ed" : "d"} only within a day after it was added.`
      : USED[why],
  );
}

const USED: Record<Exclude<Why, "foreign" | "old">, string> = {
  visited: "Somebody has checked in at this venue.",
  linked: "Another user or application has linked a listing to this venue.",
  merged: "Another venue was merged into this one.",
  changed: "Somebody else has changed this venue.",
  moved: "This venue was merged into another.",
};

/** Whether the application may edit and delete the user's check-in: it was made through it, or before that was recorded. */
export const isEditable = ({ clientId }: Pick<Checkin, "clientId">, by: Pick<TokenPair, "clientId">): boolean =>
  clientId === null || clientId === by.clientId;

interface Wanted {
  id: string;
  by: TokenPair;
  /** Idempotency-Key. */
  key: string | undefined;
}

type Deps = Pick<DirectoryDeps, "prisma" | "pool">;

/**
 * Changes what the user says to their check-in. `present` makes the answer, which a repetition with the same key returns again.
 *
 * @throws KnownError 404 for an id that is none of the user's, 403 if it was made through another application
 */
export const editCheckin = <T extends object>(
  deps: Deps,
  { id, by, key, shout }: Wanted & { shout: string | undefined },
  present: (checkin: Checkin) => Promise<T>,
): Promise<T> =>
  once(deps, by, { key, call: ["checkins/edit", { id, shout }] }, async (tx) => {
    await ownCheckin(tx, id, by);
    const [edited] = await tx.checkin.updateManyAndReturn({ where: { id }, data: { shout: shout ?? null } });
    if (!edited) throw noSuchCheckin();
    return present(edited);
  });

/** Deletes the user's check-in and updates its venue's counts. Throws as editCheckin(). */
export const deleteCheckin = (deps: Deps, { id, by, key }: Wanted): Promise<{ id: string }> =>
  once(deps, by, { key, call: ["checkins/delete", { id }] }, async (tx) => {
    const venueId = await lockedVenueOf(tx, deps.pool, id, by);
    const { count } = await tx.checkin.deleteMany({ where: { id } });
    if (count === 0) throw noSuchCheckin();
    const visitsAgain = await tx.checkin.findFirst({ where: { userId: by.userId, venueId }, select: { id: true } });
    await tx.$executeRaw`
      UPDATE directory.venue SET checkins_count = greatest(0, checkins_count - 1),
             users_count = greatest(0, users_count - ${visitsAgain ? 0 : 1})
       WHERE id = ${venueId}`;
    return { id };
  });

async function once<T extends object>(
  deps: Deps,
  { clientId, userId }: TokenPair,
  call: { key: string | undefined; call: unknown },
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const [outcome] = await onceEach<T>(deps, `${clientId}/${userId}`, [call], async (tx) => {
    return new Map([[0, { done: await work(tx) }]]);
  });
  if (!outcome) throw new Error("The call has no outcome.");
  if ("error" in outcome) throw outcome.error;
  return outcome.done;
}

async function ownCheckin(tx: Transaction, id: string, by: TokenPair): Promise<Checkin> {
  const checkin = await tx.checkin.findFirst({ where: { id, userId: by.userId } });
  if (!checkin) throw noSuchCheckin();
  if (isEditable(checkin, by)) return checkin;
  const message = "This check-in was made through another application, which alone may edit and delete it.";
  throw new KnownError(403, "not_authorized", message);
}

const noSuchCheckin = () => notFound("You have no such check-in.");

/** Locks the venue before the check-in, as those do who add check-ins and merge venues, and follows a merge. */
async function lockedVenueOf(tx: Transaction, pool: Pool, id: string, by: TokenPair, gone?: string): Promise<string> {
  const { venueId } = await ownCheckin(tx, id, by);
  const venue = (await findVenues(pool, [venueId], { sees: seenByOperators })).get(venueId);
  const tile: Tile = venue ? tileOfPlace(pool, venue) : null;
  const isThere = await lockVenue(tx, { id: venueId, tile });
  const now = await ownCheckin(tx, id, by);
  if (isThere && now.venueId === venueId) return venueId;
  if (gone === `${venueId} ${tile}`) throw noSuchCheckin();
  return lockedVenueOf(tx, pool, id, by, `${venueId} ${tile}`);
}
