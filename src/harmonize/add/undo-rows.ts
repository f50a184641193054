import { DELETABLE_HOURS } from "../../contract/correction-parameters.ts";
import { inStretches } from "../../db/bulk.ts";
import { type Db, execute, queryRows, rawSql, type Sql, sql } from "../../db/sql.ts";
import type { Deps, UndoReport, UndoTask } from "../run/long-task.ts";
import { nextDue, STRETCH } from "../run/next-due.ts";
import { NOT_DELETED, type ProblemOf } from "../run/problems/problems.ts";
import type { Reason } from "../run/problems/reasons.ts";
import { HAS_CHANGED } from "../run/rows.ts";
import { type Held, heldIn, holdersOf } from "../run/venue-holders.ts";
import { NOW_MATCHED, writeDecisions } from "../run/write-decisions.ts";

type Database = Pick<Deps, "pool">;
type Of = { id: string; listingCount: number };

export interface ToUndo {
  number: number;
  venueId: string;
}

/** SQL: a listing `l` that this file added so lately before `at` that the directory may delete its venue. */
export const undoable = (at: Sql): Sql => sql`(l.decision = 'added' AND l.decided_how <> 'kept'
  AND l.decided_at <= ${at} AND l.decided_at > ${at} - make_interval(hours => ${rawSql(DELETABLE_HOURS)}))`;

const WHY: Reason = { code: "add_undone" };

/** SQL: whether a task begun at `since` has undone the add of a listing `l`, or was refused that. */
export const undoneSince = (since: Sql): Sql =>
  sql`coalesce(l.why->>'code' = ${rawSql(`'${WHY.code}'`)} AND l.decided_at >= ${since}, false)`;
export const keptSince = (since: Sql, codes: readonly string[] = NOT_DELETED): Sql =>
  sql`coalesce(l.problem->>'code' = ANY (${codes}::text[]) AND (l.problem->>'at')::timestamptz >= ${since}, false)`;

/** Returns the next listings whose venues are to be deleted; "stopped" as nextDue() says. */
export function nextToUndo(
  db: Database,
  h: Of,
  task: UndoTask & { runner: string },
  portion: { after: number; most: number },
): Promise<ToUndo[] | "stopped"> {
  const since = sql`${task.since}::timestamptz`;
  const columns = sql`l.number, l.venue_id AS "venueId"`;
  const isDue = sql`${undoable(since)} AND NOT ${keptSince(since)}`;
  return nextDue<ToUndo>(db, h, task, { state: "undoing", columns, isDue, ...portion });
}

/** Counts the venues that an undo begun now would leave, because other files hold them. */
export async function countHeld(deps: Pick<Deps, "pool" | "directoryUrl">, { id, listingCount }: Of): Promise<Held> {
  let held = heldIn([]);
  await inStretches(listingCount, STRETCH, async (after, upTo) => {
    const rows = await queryRows<{ ids: string[] | null }>(deps)`
      SELECT array_agg(l.venue_id) AS ids FROM app.listing l
       WHERE l.harmonization_id = ${id} AND l.number > ${after} AND l.number <= ${upTo} AND ${undoable(sql`now()`)}`;
    held = heldIn((await holdersOf(deps, rows[0]?.ids ?? [], sql`(h.id = ${id})`)).values(), held);
  });
  return held;
}

/** Rows of a statement: one for all would time out. */
const PORTION = 500;

/**
 * Makes listings undecided again, also those matched with the same venue, such as a repeated row. The venue leaves their
 * candidates, and those of listings in review whose best it is. What had been rejected before it was added is rejected again, and so is
 * what the score would match now.
 *
 * Some rows at a time, those that were added last: until then they are due, so that after an interruption the rest is done.
 */
export async function noteUndone(
  db: Db,
  id: string,
  accountId: string,
  undone: readonly ToUndo[],
  portion = PORTION,
): Promise<void> {
  if (undone.length === 0) return;
  const numbers = undone.map(({ number }) => number);
  const venues = undone.map(({ venueId }) => venueId);
  const due = sql`
    WITH undone AS (SELECT * FROM unnest(${numbers}::int[], ${venues}::text[]) AS u(number, venue)), of_venues AS (
      SELECT l.number, u.venue, true AS is_added FROM undone u
        JOIN app.listing l ON l.harmonization_id = ${id} AND l.number = u.number AND l.venue_id = u.venue AND l.decision = 'added'
      UNION SELECT l.number, u.venue, false FROM undone u JOIN app.listing l ON l.venue_id = u.venue
       WHERE l.harmonization_id = ${id} AND l.status = 'asked' AND l.decision = 'matched'
      UNION SELECT l.number, u.venue, false FROM undone u JOIN app.listing l ON l.best_id = u.venue
       WHERE l.harmonization_id = ${id} AND l.status = 'asked' AND l.decision IS NULL AND l.problem IS NULL),
    due AS MATERIALIZED (SELECT number, venue FROM of_venues ORDER BY is_added, number LIMIT ${portion})`;
  for (;;) {
    const written = await execute(db)`${due} ${withoutAdd(id, accountId)}`;
    if (written < portion) return;
  }
}

const withoutAdd = (run: string, accountId: string): Sql =>
  writeDecisions({
    run,
    rows: sql`(
      SELECT l.number, coalesce(l.best_id = due.venue, false) AS is_best,
             l.is_clear AND l.best_id <> due.venue AS is_clear,
             coalesce(l.decision = 'added' AND (l.why->>'wasRejected')::boolean, false)
               OR coalesce(l.is_clear AND l.best_id <> due.venue AND l.score >= h.accept_from, false) AS was_rejected,
             (SELECT coalesce(jsonb_agg(c ORDER BY at), '[]') FROM jsonb_array_elements(l.candidates) WITH ORDINALITY e(c, at)
               WHERE c->>'id' <> due.venue) AS candidates
        FROM due JOIN app.listing l ON l.harmonization_id = ${run} AND l.number = due.number
        JOIN app.harmonization h ON h.id = ${run}) d`,
    decision: {
      decision: sql`CASE WHEN d.was_rejected THEN 'rejected' END`,
      decidedHow: sql`CASE WHEN d.was_rejected THEN 'many' END`,
      why: ifDecided(sql`${JSON.stringify(WHY)}::jsonb`),
      decidedBy: ifDecided(sql`${accountId}::uuid`),
      decidedAt: ifDecided(sql`now()`),
    },
    also: [
      sql`problem = NULL`,
      sql`annotated_at = NULL`,
      sql`annotation_problem = NULL`,
      sql`is_clear = d.is_clear`,
      NOW_MATCHED,
      sql`candidates = d.candidates`,
      sql`best_id = CASE WHEN d.is_best THEN d.candidates->0->>'id' ELSE l.best_id END`,
      sql`score = CASE WHEN d.is_best AND NOT (${HAS_CHANGED}) THEN (d.candidates->0->>'score')::real WHEN NOT d.is_best THEN l.score END`,
      sql`pattern = CASE WHEN d.is_best THEN NULL ELSE l.pattern END`,
    ],
  });

const ifDecided = (value: Sql): Sql => sql`CASE WHEN l.decision IS NOT NULL THEN ${value} END`;

export interface Kept extends ToUndo {
  problem: ProblemOf<(typeof NOT_DELETED)[number]>;
}

export async function noteKept({ pool }: Database, id: string, kept: readonly Kept[]): Promise<void> {
  if (kept.length === 0) return;
  await execute(pool)`
    UPDATE app.listing l SET problem = k.problem || jsonb_build_object('at', now())
      FROM jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) AS k(number int, "venueId" text, problem jsonb)
     WHERE l.harmonization_id = ${id} AND l.number = k.number AND l.venue_id = k."venueId" AND l.decision = 'added'`;
}

export async function undoReport(
  { pool }: Database,
  { id, listingCount }: Of,
  { since }: UndoTask,
): Promise<UndoReport> {
  const report = { undone: 0, held: 0, failed: 0 };
  const begun = sql`${since}::timestamptz`;
  await inStretches(listingCount, STRETCH, async (after, upTo) => {
    const rows = await queryRows<typeof report>(pool)`
      SELECT count(*) FILTER (WHERE ${undoneSince(begun)})::int AS undone,
            count(*) FILTER (WHERE ${keptSince(begun, ["venue_held"])})::int AS held,
            count(*) FILTER (WHERE ${keptSince(begun, ["not_undone"])})::int AS failed
       FROM app.listing l WHERE l.harmonization_id = ${id} AND l.number > ${after} AND l.number <= ${upTo}`;
    for (const key of ["undone", "held", "failed"] as const) report[key] += rows[0]?.[key] ?? 0;
  });
  return report;
}
