import type { Pool } from "pg";
import { type Db, prepared, queryRow, queryRows, sql } from "../../db/sql.ts";
import type { Evidence } from "../../matching/evidence.ts";
import { findVenues } from "../venues/find.ts";
import type { VenueRow } from "../venues/rows.ts";
import type { Group } from "./groups.ts";

/** A group to review. `family`: the key of `familyOf`. `score`: of its least sure pair. */
export interface ShownGroup {
  stays: VenueRow;
  others: { venue: VenueRow; score: number; evidence: Evidence[] }[];
  score: number;
  family: string;
}

interface Wanted {
  family?: string | undefined;
  skip: number;
  take: number;
}

/** Returns the surest groups first. Leaves out venues that were merged, deleted or closed since. */
export async function listGroups(pool: Pool, { family, skip, take }: Wanted): Promise<ShownGroup[]> {
  const only = family ?? null;
  const rows = await queryRows<{ stays: string; family: string; score: number; others: Other[] }>(prepared(pool))`
    SELECT stays_id AS stays, max(family) AS family, min(score) AS score,
           json_agg(json_build_object('id', CASE stays_id WHEN a_id THEN b_id ELSE a_id END, 'score', score,
                                      'evidence', evidence) ORDER BY score DESC, a_id, b_id) AS others
      FROM directory.duplicate_pair
     WHERE ${IS_OPEN} AND (${only}::text IS NULL OR family = ${only})
     GROUP BY stays_id ORDER BY min(score) DESC, stays_id LIMIT ${take} OFFSET ${skip}`;
  const found = await findVenues(
    pool,
    rows.flatMap(({ stays, others }) => [stays, ...others.map(({ id }) => id)]),
  );
  const openVenue = (id: string) => {
    const venue = found.get(id);
    return venue?.id === id && !venue.isClosed ? venue : undefined;
  };
  return rows.flatMap(({ stays, others, ...rest }) => {
    const venue = openVenue(stays);
    const shown = others.flatMap(({ id, ...why }) => {
      const other = openVenue(id);
      return other ? { venue: other, ...why } : [];
    });
    return venue && shown.length > 0 ? { stays: venue, others: shown, ...rest } : [];
  });
}

interface Other {
  id: string;
  score: number;
  evidence: Evidence[];
}

const IS_OPEN = sql`stays_id IS NOT NULL AND different_at IS NULL`;

export interface Family {
  family: string;
  groups: number;
}

/** The ways in which venues of groups are alike, the most frequent first. */
export const listFamilies = (db: Db): Promise<Family[]> =>
  queryRows<Family>(db)`
    SELECT family, count(DISTINCT stays_id)::int AS groups FROM directory.duplicate_pair
     WHERE ${IS_OPEN} GROUP BY family ORDER BY groups DESC, family`;

export const countGroups = async (db: Db): Promise<number> =>
  (await listFamilies(db)).reduce((sum, { groups }) => sum + groups, 0);

/** Returns the ids of up to `most` groups of a family, the surest first. */
export async function groupsOf(pool: Pool, family: string, most: number): Promise<Group[]> {
  const groups = await listGroups(pool, { family, skip: 0, take: most });
  return groups.map(({ stays, others }) => ({ stays: stays.id, others: others.map(({ venue }) => venue.id) }));
}

export interface Run {
  startedAt: Date;
  finishedAt: Date | null;
  /** Whether it committed something in the last minutes. */
  isAlive: boolean;
  venues: number;
  passed: number;
  compared: number;
}

export const lastRun = (db: Db): Promise<Run | undefined> =>
  queryRow<Run>(db)`
    SELECT started_at AS "startedAt", finished_at AS "finishedAt", venues, passed, compared,
           seen_at > now() - interval '2 minutes' AS "isAlive"
      FROM directory.duplicate_run ORDER BY id DESC LIMIT 1`;

export interface Merged {
  id: number;
  at: Date;
  /** A handle; null if the user was deleted. */
  actor: string | null;
  venues: number;
  revertedAt: Date | null;
  revertedBy: string | null;
}

/** The last merges of groups, newest first. */
export const lastMerges = (db: Db): Promise<Merged[]> =>
  queryRows<Merged>(db)`
    SELECT m.id, m.at, u.handle AS actor, cardinality(m.change_ids) AS venues, m.reverted_at AS "revertedAt", r.handle AS "revertedBy"
      FROM directory.duplicate_merge m
      LEFT JOIN directory."user" u ON u.id = m.user_id LEFT JOIN directory."user" r ON r.id = m.reverted_by
     WHERE m.change_ids <> '{}' ORDER BY m.id DESC LIMIT 10`;
