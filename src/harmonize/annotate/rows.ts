import { execute, prepared, queryRows, type Sql, sql } from "../../db/sql.ts";
import type { AnnotateReport, AnnotateTask, Deps } from "../run/long-task.ts";
import { nextDue, ownsTask, STRETCH } from "../run/next-due.ts";
import type { Problem, ProblemCode } from "../run/problems/problems.ts";
import { MATCHED_VENUE, OUTCOME } from "../run/rows.ts";

type Database = Pick<Deps, "pool">;
type Of = { id: string; listingCount: number };
type Running = AnnotateTask & { runner: string };

export interface Mapping {
  number: number;
  ownId: string;
  venueId: string;
  wasElsewhere: boolean;
  at: Date;
}

// `annotated_at`: the last attempt; `annotation_problem`: why it failed. Tried: on the venue it has now.
const IS_TRIED = sql`coalesce(l.annotated_at >= greatest(l.decided_at, l.matched_at), false)`;
const IS_ANNOTATED = sql`(l.annotation_problem IS NULL AND ${IS_TRIED})`;

/** SQL: not in the directory yet, and not tried by the task. */
const isDue = ({ since }: Running): Sql => sql`l.own_id <> '' AND ${OUTCOME} = 'matched' AND NOT ${IS_ANNOTATED}
  AND NOT coalesce(l.annotation_problem IS NOT NULL AND l.annotated_at >= ${since}::timestamptz, false)`;

const MOST = 200;

/** Returns the numbers of the next listings to annotate; "stopped" as nextDue() says. */
export async function nextToAnnotate(db: Database, h: Of, task: Running, after: number): Promise<number[] | "stopped"> {
  const wanted = { state: STATE, columns: sql`l.number`, isDue: isDue(task), after, most: MOST } as const;
  const rows = await nextDue<{ number: number }>(db, h, task, wanted);
  return rows === "stopped" ? rows : rows.map(({ number }) => number);
}

const STATE = "annotating";

/** The mappings of listings that are due; "stopped" as above. */
export async function mappingsOf(
  { pool }: Database,
  { id }: Pick<Of, "id">,
  task: Running,
  numbers: number[],
): Promise<Mapping[] | "stopped"> {
  const rows = await queryRows<Omit<Mapping, "ownId"> & { ownId: string | null }>(prepared(pool))`
    SELECT l.number, l.own_id AS "ownId", ${MATCHED_VENUE} AS "venueId", now()::timestamptz(3) AS at,
           l.annotated_at IS NOT NULL AND coalesce((l.annotation_problem->>'isOurs')::bool, l.annotation_problem IS NULL) AS "wasElsewhere"
      FROM app.harmonization h LEFT JOIN app.listing l ON l.harmonization_id = h.id AND l.number = ANY (${numbers}::int[]) AND ${isDue(task)}
     WHERE ${ownsTask(STATE, id, task.runner)} ORDER BY l.number`;
  return rows.length === 0 ? "stopped" : rows.flatMap(({ ownId, ...row }) => (ownId === null ? [] : { ...row, ownId }));
}

export interface Noted extends Mapping {
  problem: Problem | undefined;
}

/** If the venue has changed meanwhile, its mapping stays due. */
export async function noteAnnotations({ pool }: Database, { id }: Pick<Of, "id">, noted: Noted[]): Promise<void> {
  if (noted.length === 0) return;
  await execute(prepared(pool))`
    UPDATE app.listing AS l SET annotation_problem = n.problem,
        annotated_at = CASE WHEN ${MATCHED_VENUE} = n."venueId" THEN n.at
          ELSE least(n.at, greatest(l.decided_at, l.matched_at) - interval '1 millisecond') END
      FROM jsonb_to_recordset(${JSON.stringify(noted)}::jsonb) AS n(number int, "venueId" text, at timestamptz, problem jsonb)
     WHERE l.harmonization_id = ${id} AND l.number = n.number`;
}

const TAKEN: ProblemCode = "already_on";

export async function annotateReport(
  { pool }: Database,
  { id, listingCount }: Of,
  { since }: AnnotateTask,
): Promise<AnnotateReport> {
  const report = { annotated: 0, alreadyThere: 0, conflicts: 0, failed: 0 };
  for (let from = 0; from < listingCount; from += STRETCH) {
    const rows = await queryRows<AnnotateReport>(pool)`
      SELECT count(*) FILTER (WHERE ${IS_ANNOTATED} AND l.annotated_at >= ${since}::timestamptz)::int AS annotated,
         count(*) FILTER (WHERE ${IS_ANNOTATED} AND l.annotated_at < ${since}::timestamptz)::int AS "alreadyThere",
         count(*) FILTER (WHERE ${IS_TRIED} AND l.annotation_problem->>'code' = ${TAKEN})::int AS conflicts,
         count(*) FILTER (WHERE ${IS_TRIED} AND l.annotation_problem->>'code' <> ${TAKEN})::int AS failed
       FROM app.listing l WHERE l.harmonization_id = ${id} AND l.number > ${from} AND l.number <= ${from + STRETCH}
        AND l.annotated_at IS NOT NULL`;
    for (const key of Object.keys(report) as (keyof AnnotateReport)[]) report[key] += rows[0]?.[key] ?? 0;
  }
  return report;
}
