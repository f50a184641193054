import type { AnnotateReport, AnnotateTask, Deps } from "../run/long-task.ts";
import { goesOn, nextDue, STRETCH } from "../run/next-due.ts";
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
const IS_TRIED = "coalesce(l.annotated_at >= greatest(l.decided_at, l.matched_at), false)";
const IS_ANNOTATED = `(l.annotation_problem IS NULL AND ${IS_TRIED})`;

// Not in the directory yet, and not tried by the task begun at $3.
const IS_DUE = `l.own_id <> '' AND ${OUTCOME} = 'matched' AND NOT ${IS_ANNOTATED}
  AND NOT coalesce(l.annotation_problem IS NOT NULL AND l.annotated_at >= $3, false)`;

const MOST = 200;

/** Returns the numbers of the next listings to annotate; "stopped" as nextDue() says. */
export async function nextToAnnotate(db: Database, h: Of, task: Running, after: number): Promise<number[] | "stopped"> {
  const rows = await nextDue<{ number: number }>(db, h, task, {
    ...{ name: "next-to-annotate", state: STATE, columns: "l.number", isDue: IS_DUE },
    ...{ after, most: MOST },
  });
  return rows === "stopped" ? rows : rows.map(({ number }) => number);
}

const STATE = "annotating";

/** Of listings that are due; "stopped" as above. */
export async function mappingsOf(
  { pool }: Database,
  { id }: Pick<Of, "id">,
  { since, runner }: Running,
  numbers: number[],
): Promise<Mapping[] | "stopped"> {
  const { rows } = await pool.query<Mapping | { ownId: null }>({
    name: "mappings-to-annotate",
    text: `SELECT l.number, l.own_id AS "ownId", ${MATCHED_VENUE} AS "venueId", now()::timestamptz(3) AS at,
             l.annotated_at IS NOT NULL AND coalesce((l.annotation_problem->>'isOurs')::bool, l.annotation_problem IS NULL) AS "wasElsewhere"
        FROM app.harmonization h LEFT JOIN app.listing l ON l.harmonization_id = h.id AND l.number = ANY ($4) AND ${IS_DUE}
       WHERE ${goesOn(STATE, "$1", "$2")} ORDER BY l.number`,
    values: [id, runner, since, numbers],
  });
  return rows.length === 0 ? "stopped" : rows.flatMap((row) => (row.ownId === null ? [] : row));
}

export interface Noted extends Mapping {
  problem: Problem | undefined;
}

/** If the venue has changed meanwhile, its mapping stays due. */
export async function noteAnnotations({ pool }: Database, { id }: Pick<Of, "id">, noted: Noted[]): Promise<void> {
  if (noted.length === 0) return;
  await pool.query({
    name: "note-annotations",
    text: `UPDATE app.listing AS l SET annotation_problem = n.problem,
             annotated_at = CASE WHEN ${MATCHED_VENUE} = n."venueId" THEN n.at
               ELSE least(n.at, greatest(l.decided_at, l.matched_at) - interval '1 millisecond') END
           FROM jsonb_to_recordset($2::jsonb) AS n(number int, "venueId" text, at timestamptz, problem jsonb)
          WHERE l.harmonization_id = $1 AND l.number = n.number`,
    values: [id, JSON.stringify(noted)],
  });
}

const TAKEN: ProblemCode = "already_on";

export async function annotateReport(
  { pool }: Database,
  { id, listingCount }: Of,
  { since }: AnnotateTask,
): Promise<AnnotateReport> {
  const report = { annotated: 0, alreadyThere: 0, conflicts: 0, failed: 0 };
  for (let from = 0; from < listingCount; from += STRETCH) {
    const { rows } = await pool.query<AnnotateReport>({
      name: "annotate-report",
      text: `SELECT count(*) FILTER (WHERE ${IS_ANNOTATED} AND l.annotated_at >= $2)::int AS annotated,
          count(*) FILTER (WHERE ${IS_ANNOTATED} AND l.annotated_at < $2)::int AS "alreadyThere",
          count(*) FILTER (WHERE ${IS_TRIED} AND l.annotation_problem->>'code' = '${TAKEN}')::int AS conflicts,
          count(*) FILTER (WHERE ${IS_TRIED} AND l.annotation_problem->>'code' <> '${TAKEN}')::int AS failed
        FROM app.listing l WHERE l.harmonization_id = $1 AND l.number > $3 AND l.number <= $4
         AND l.annotated_at IS NOT NULL`,
      values: [id, since, from, from + STRETCH],
    });
    for (const key of Object.keys(report) as (keyof AnnotateReport)[]) report[key] += rows[0]?.[key] ?? 0;
  }
  return report;
}
