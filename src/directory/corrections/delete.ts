import type { PoolClient } from "pg";
import { DELETABLE_HOURS } from "../../contract/correction-parameters.ts";
import { isDistributed } from "../../db/distributed.ts";
import { together } from "../../db/together.ts";
import { KnownError } from "../../shared/errors.ts";
import type { DirectoryDeps } from "../deps.ts";
import type { Outcome } from "../idempotency.ts";
import type { TokenPair } from "../tokens.ts";
import { noSuchVenue, VENUE_ID, wasDeleted } from "../venues/find.ts";
import { lockVenues } from "./join.ts";
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
export const deleteVenues = (
  { pool }: Pick<DirectoryDeps, "pool">,
  asked: readonly string[],
  caller: TokenPair,
): Promise<Outcome<Named>[]> =>
  together(pool, async (client) => {
    const ids = asked.filter((id) => VENUE_ID.test(id));
    // Waits for check-ins and links that are being added, so that the reads after it see them.
    if (!isDistributed(pool)) await lockVenues(client, ids);
    const [venues, uses] = [await venuesWith(client, ids, caller), await usesOf(client, ids, caller)];
    const refusals = new Map(venues.flatMap((venue) => refusalOf(venue, uses.get(venue.id)) ?? []));
    const wanted = venues.filter(({ id }) => !refusals.has(id));
    const done = new Map((await removeVenues(client, wanted, caller)).map((venue) => [venue.id, venue]));
    for (const { id } of wanted) if (!done.has(id)) refusals.set(id, refused("visited"));
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
      return { error: refusals.get(id) ?? (uses.get(id) === "moved" ? refused("moved") : noSuchVenue()) };
    });
  });

interface Found extends Named {
  isOwn: boolean;
  isRecent: boolean;
  isVisited: boolean;
  row: object;
}

async function venuesWith(client: PoolClient, ids: readonly string[], caller: TokenPair): Promise<Found[]> {
  const { rows } = await client.query<Found>(
    `SELECT v.id, v.name, coalesce(v.creator_id = $2 AND v.client_id = $3, false) AS "isOwn",
            v.created_at > now() - make_interval(hours => ${DELETABLE_HOURS}) AS "isRecent", v.checkins_count > 0 AS "isVisited",
            to_jsonb(v) AS row
       FROM directory.venue v WHERE v.id = ANY ($1)`,
    [ids, caller.userId, caller.clientId],
  );
  return rows;
}

type Use = "linked" | "merged" | "changed" | "moved";

/** What others have done with the venues; `moved`: they were merged into others. */
async function usesOf(client: PoolClient, ids: readonly string[], caller: TokenPair): Promise<Map<string, Use>> {
  const { rows } = await client.query<{ id: string; use: Use }>(
    `SELECT l.venue_id AS id, 'linked' AS use FROM directory.link l JOIN directory.provider p ON p.id = l.provider_id
      WHERE l.venue_id = ANY ($1) AND (l.user_id <> $2 OR p.client_id IS DISTINCT FROM $3)
     UNION SELECT venue_id, 'merged' FROM directory.moved_venue WHERE venue_id = ANY ($1)
     UNION SELECT id, 'moved' FROM directory.moved_venue WHERE id = ANY ($1)
     UNION SELECT venue_id, 'changed' FROM directory.venue_change WHERE venue_id = ANY ($1) AND user_id <> $2`,
    [ids, caller.userId, caller.clientId],
  );
  return new Map(rows.map(({ id, use }) => [id, use]));
}

function refusalOf(
  { id, isOwn, isRecent, isVisited }: Found,
  use: Use | undefined,
): [string, KnownError][] | undefined {
  const why = !isOwn ? "foreign" : !isRecent ? "old" : isVisited ? "visited" : use;
  return why && [[id, refused(why)]];
}

const REFUSED: Record<Use | "foreign" | "old" | "visited", string> = {
  foreign: "Only the user who added a venue may delete it, with the same application.",
  old: "A venue may be deleted only within a day after it was added.",
  visited: "Somebody has checked in at this venue.",
  linked: "Another user or application has linked a listing to this venue.",
  merged: "Another venue was merged into this one.",
  changed: "Somebody else has changed this venue.",
  moved: "This venue was merged into another.",
};

const refused = (why: keyof typeof REFUSED): KnownError =>
  why === "foreign" ? new KnownError(403, "not_authorized", REFUSED[why]) : new KnownError(409, "other", REFUSED[why]);

/** On several servers a check-in may have come since; such a venue stays. */
async function removeVenues(client: PoolClient, venues: readonly Found[], caller: TokenPair): Promise<Named[]> {
  if (venues.length === 0) return [];
  const ids = venues.map(({ id }) => id);
  const { rows: links } = await client.query<{ venueId: string; row: object }>(
    `SELECT venue_id AS "venueId", to_jsonb(l) AS row FROM directory.link l WHERE venue_id = ANY ($1)`,
    [ids],
  );
  const { rows } = await client.query<{ id: string }>(
    "DELETE FROM directory.venue WHERE id = ANY ($1) AND checkins_count = 0 RETURNING id",
    [ids],
  );
  const deleted = new Set(rows.map(({ id }) => id));
  await client.query("DELETE FROM directory.link WHERE venue_id = ANY ($1)", [[...deleted]]); // on several servers no foreign key does
  const removed = venues.filter(({ id }) => deleted.has(id));
  const linksBy = Map.groupBy(links, ({ venueId }) => venueId);
  const before = ({ id, row }: Found) => ({ venue: row, links: (linksBy.get(id) ?? []).map((link) => link.row) });
  await recordDeletions(
    client,
    removed.map((venue) => ({ id: venue.id, before: before(venue) })),
    caller,
  );
  return removed.map(({ id, name }) => ({ id, name }));
}

const isOwn = (before: { creatorId: string | null; clientId: string | null }, { userId, clientId }: TokenPair) =>
  before.creatorId === userId && before.clientId === clientId;
