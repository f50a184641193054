import { queryRow, queryRows, sql } from "../../db/sql.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { Problem } from "../run/problems/problems.ts";
import { sendEarly } from "../run/queue.ts";
import { MATCHED_VENUE, OUTCOME } from "../run/rows.ts";
import { findSideTask, wantSideTask } from "../run/side-task.ts";

/** What became of a venue since the mapping was made, or since the look before; the first that applies. */
export const CHANGES = ["merged", "closed", "gone", "reopened", "moved", "renamed", "unanswered", "unchanged"] as const;
export type Change = (typeof CHANGES)[number];

/** All but `unchanged`. */
export const SHOWN_CHANGES = CHANGES.slice(0, -1);

/** Of the last look at the venues of a file: the `about` of its task. */
export interface Look {
  /** ISO 8601, and since when it looks. */
  at: string;
  since: string;
  /** Venues by change, at the end. */
  counts?: Partial<Record<Change, number>>;
}

export interface LookState extends Look {
  isAtWork: boolean;
  problem: Problem | null;
}

type Deps = Pick<Harmonizer, "prisma" | "pool" | "queue">;

export async function lookStateOf(deps: Pick<Deps, "prisma">, h: { id: string }): Promise<LookState | undefined> {
  const task = await findSideTask<Look>(deps, h, "changes");
  return task && { ...task.about, isAtWork: task.wantedAt !== null, problem: task.problem };
}

/** Requests a look at the venues of a file, unless one is at work. What was found then counts as known. */
export async function wantLook(deps: Deps, h: Harmonization): Promise<void> {
  const before = await lookStateOf(deps, h);
  const since = before?.at ?? (h.matchedAt ?? h.createdAt).toISOString();
  const look: Look = { at: new Date().toISOString(), since };
  await wantSideTask(deps.pool, h, "changes", { accountId: h.accountId, about: look });
  await sendEarly(deps.queue, { kind: "changes", harmonizationId: h.id });
}

/** Returns how many venues have been looked up of how many. */
export async function lookedUp(db: Pick<Deps, "pool">, { id }: { id: string }, { at }: Look) {
  const looked = await queryRow<{ done: number; all: number }>(db)`
    SELECT (count(*) FILTER (WHERE looked_at = ${at}))::int AS done, count(*)::int AS all
      FROM app.venue_look WHERE harmonization_id = ${id} AND wanted_at = ${at}`;
  return looked ?? { done: 0, all: 0 };
}

export interface ChangedVenue {
  /** Of its first listing, or of this one. */
  number: number;
  line: number;
  listing: string | null;
  ownId: string | null;
  venueId: string;
  change: Change;
  wasName: string | null;
  nowId: string | null;
  name: string | null;
  /** How far it moved. */
  metres: number | null;
  /** The attribution of the venue's source. */
  credit: string | null;
}

const COLUMNS = sql`v.venue_id AS "venueId", v.change, v.was_name AS "wasName", v.now_id AS "nowId", v.name, v.metres, v.credit,
  l.number, l.line, l.query ->> 'name' AS listing, l.own_id AS "ownId"`;

/** Returns up to `most` changed venues, in order of the file, behind the listing `after`. */
export async function changedVenues(
  { pool }: Pick<Deps, "pool">,
  { id }: { id: string },
  { changes, after, most }: { changes: readonly Change[]; after: number; most: number },
): Promise<ChangedVenue[]> {
  return queryRows<ChangedVenue>(pool)`
    SELECT ${COLUMNS} FROM app.venue_look v
      JOIN app.listing l ON l.harmonization_id = v.harmonization_id AND l.number = v.number
     WHERE v.harmonization_id = ${id} AND v.change = ANY (${changes}::text[]) AND v.number > ${after} ORDER BY v.number LIMIT ${most}`;
}

const STRETCH = 5000;

/** Yields the listings whose venues have changed, in order of the file, in pages. */
export async function* changedListings(
  { pool }: Pick<Deps, "pool">,
  { id, acceptFrom, reviewFrom, listingCount }: Harmonization,
): AsyncGenerator<ChangedVenue[]> {
  for (let after = 0; after < listingCount; after += STRETCH) {
    const rows = await queryRows<ChangedVenue>(pool)`
      SELECT ${COLUMNS} FROM app.listing l
        JOIN app.venue_look v ON v.harmonization_id = l.harmonization_id AND v.venue_id = ${MATCHED_VENUE},
        (SELECT ${acceptFrom}::real AS accept_from, ${reviewFrom}::real AS review_from) AS h
       WHERE l.harmonization_id = ${id} AND l.number > ${after} AND l.number <= ${after + STRETCH} AND ${OUTCOME} = 'matched'
         AND v.change <> 'unchanged' ORDER BY l.number`;
    yield rows;
  }
}
