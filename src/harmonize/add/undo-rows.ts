import { DELETABLE_HOURS } from "../../contract/correction-parameters.ts";
import { inStretches } from "../../db/bulk/stretches.ts";
import type { Deps, UndoReport, UndoTask } from "../run/long-task.ts";
import { nextDue, STRETCH } from "../run/next-due.ts";
import type { Problem, ProblemOf } from "../run/problems/problems.ts";
import type { Reason } from "../run/problems/reasons.ts";

type Database = Pick<Deps, "pool">;
type Of = { id: string; listingCount: number };

export interface ToUndo {
  number: number;
  venueId: string;
}

/** SQL: a listing `l` that this file added so lately before `at` that the directory may delete its venue. */
export const undoable = (at: string): string => `(l.decision = 'added' AND l.decided_how <> 'kept'
  AND l.decided_at <= ${at} AND l.decided_at > ${at} - interval '${DELETABLE_HOURS} hours')`;

const WHY: Reason = { code: "add_undone" };
const CODE: Problem["code"] = "not_undone";

/** SQL: whether a task begun at `since` has undone the add of a listing `l`, or was refused that. */
export const undoneSince = (since: string): string =>
  `coalesce(l.why->>'code' = '${WHY.code}' AND l.decided_at >= ${since}, false)`;
export const keptSince = (since: string): string =>
  `coalesce(l.problem->>'code' = '${CODE}' AND (l.problem->>'at')::timestamptz >= ${since}, false)`;

/** Returns the next listings whose venues are to be deleted; "stopped" as nextDue() says. */
export const nextToUndo = (
  db: Database,
  h: Of,
  task: UndoTask & { runner: string },
  portion: { after: number; most: number },
): Promise<ToUndo[] | "stopped"> => nextDue<ToUndo>(db, h, task, { ...DUE, ...portion });

const SINCE = "$3::timestamptz";
const DUE = {
  name: "next-to-undo",
  state: "undoing",
  columns: `l.number, l.venue_id AS "venueId"`,
  isDue: `${undoable(SINCE)} AND NOT ${keptSince(SINCE)}`,
} as const;

/**
 * Makes listings undecided again, also those matched with the same venue, such as a repeated row. The venue leaves their
 * candidates, and those of listings in review whose best it is. What the score would match now had been rejected before it was added, so it is again.
 */
export async function noteUndone(
  { pool }: Database,
  id: string,
  accountId: string,
  undone: readonly ToUndo[],
): Promise<void> {
  if (undone.length === 0) return;
  await pool.query({
    name: "note-undone",
    text: `WITH undone AS (SELECT * FROM unnest($4::int[], $5::text[]) AS u(number, venue)), due AS (
        SELECT l.number, u.venue FROM undone u
          JOIN app.listing l ON l.harmonization_id = $1 AND l.number = u.number AND l.venue_id = u.venue AND l.decision = 'added'
        UNION SELECT l.number, u.venue FROM undone u JOIN app.listing l ON l.venue_id = u.venue
         WHERE l.harmonization_id = $1 AND l.status = 'asked' AND l.decision = 'matched'
        UNION SELECT l.number, u.venue FROM undone u JOIN app.listing l ON l.best_id = u.venue
         WHERE l.harmonization_id = $1 AND l.status = 'asked' AND l.decision IS NULL AND l.problem IS NULL)
      UPDATE app.listing l SET venue_id = NULL, venue_name = NULL, problem = NULL,
             (why, decided_by, decided_at) = (SELECT $3::jsonb, $2::uuid, now() WHERE l.decision IS NOT NULL),
             decision = CASE WHEN a.was_rejected THEN 'rejected'::app.listing_decision END,
             decided_how = CASE WHEN a.was_rejected THEN 'many'::app.decided_how END,
             annotated_at = NULL, annotation_problem = NULL, is_clear = a.is_clear, candidates = a.candidates,
             best_id = CASE WHEN a.is_best THEN a.candidates->0->>'id' ELSE l.best_id END,
             score = CASE WHEN a.is_best THEN (a.candidates->0->>'score')::real ELSE l.score END,
             pattern = CASE WHEN a.is_best THEN NULL ELSE l.pattern END
        FROM (SELECT l.number, coalesce(l.best_id = d.venue, false) AS is_best,
                     l.is_clear AND l.best_id <> d.venue AS is_clear,
                     coalesce(l.is_clear AND l.best_id <> d.venue AND l.score >= h.accept_from, false) AS was_rejected,
                     (SELECT coalesce(jsonb_agg(c ORDER BY at), '[]') FROM jsonb_array_elements(l.candidates) WITH ORDINALITY e(c, at)
                       WHERE c->>'id' <> d.venue) AS candidates
                FROM due d JOIN app.listing l ON l.harmonization_id = $1 AND l.number = d.number
                JOIN app.harmonization h ON h.id = $1) a
       WHERE l.harmonization_id = $1 AND l.number = a.number`,
    values: [id, accountId, WHY, undone.map(({ number }) => number), undone.map(({ venueId }) => venueId)],
  });
}

export interface Kept extends ToUndo {
  problem: ProblemOf<"not_undone">;
}

export async function noteKept({ pool }: Database, id: string, kept: readonly Kept[]): Promise<void> {
  if (kept.length === 0) return;
  await pool.query({
    name: "note-kept",
    text: `UPDATE app.listing l SET problem = k.problem || jsonb_build_object('at', now())
             FROM jsonb_to_recordset($2::jsonb) AS k(number int, "venueId" text, problem jsonb)
            WHERE l.harmonization_id = $1 AND l.number = k.number AND l.venue_id = k."venueId" AND l.decision = 'added'`,
    values: [id, JSON.stringify(kept)],
  });
}

export async function undoReport(
  { pool }: Database,
  { id, listingCount }: Of,
  { since }: UndoTask,
): Promise<UndoReport> {
  const report = { undone: 0, failed: 0 };
  await inStretches(listingCount, STRETCH, async (after, upTo) => {
    const { rows } = await pool.query<UndoReport>({
      name: "undo-report",
      text: `SELECT count(*) FILTER (WHERE ${undoneSince("$2::timestamptz")})::int AS undone,
                    count(*) FILTER (WHERE ${keptSince("$2::timestamptz")})::int AS failed
               FROM app.listing l WHERE l.harmonization_id = $1 AND l.number > $3 AND l.number <= $4`,
      values: [id, since, after, upTo],
    });
    report.undone += rows[0]?.undone ?? 0;
    report.failed += rows[0]?.failed ?? 0;
  });
  return report;
}
