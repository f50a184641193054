import type { PoolClient } from "pg";
import { DELETABLE_HOURS } from "../../contract/correction-parameters.ts";
import { queryRows, rawSql } from "../../db/sql.ts";
import { KnownError } from "../../shared/errors.ts";
import type { TokenPair } from "../tokens.ts";

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
  return why && refused(why, verb);
}

type Why = Use | "foreign" | "old" | "visited";

export function refused(why: Why, verb: Verb): KnownError {
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
