import type { AnnotateReport, AnnotateTask, Deps } from "./add-task.ts";
import { MATCHED_VENUE, OUTCOME } from "./rows.ts";

type Database = Pick<Deps, "pool">;
type Of = { id: string; listingCount: number };

export interface Mapping {
  number: number;
  ownId: string;
  venueId: string;
  /** It was annotated on another venue before, as far as is known here. */
  wasElsewhere: boolean;
}

/** `annotated_at` is when it was tried last; `annotation_error` tells why it failed. Here: it is on the venue it has now. */
const IS_ANNOTATED =
  "coalesce(l.annotation_error IS NULL AND l.annotated_at >= greatest(l.decided_at, l.matched_at), false)";

/** Rows that one statement looks through, so that it never takes long, and mappings that it answers at most. */
const STRETCH = 20_000;
const MOST = 200;

/**
 * The next mappings behind the listing `after` that are not in the directory yet, in the order of the file; none at the
 * end. "stopped" once the task is paused, over, or another run's.
 */
export async function nextToAnnotate(
  { pool }: Database,
  { id, listingCount }: Of,
  { since, runner }: AnnotateTask & { runner: string },
  after: number,
): Promise<Mapping[] | "stopped"> {
  for (let from = after; from < listingCount; from += STRETCH) {
    const { rows } = await pool.query<Mapping & { number: number | null }>({
      name: "next-to-annotate",
      text: `SELECT l.* FROM app.harmonization h LEFT JOIN LATERAL (
          SELECT l.number, l.own_id AS "ownId", ${MATCHED_VENUE} AS "venueId",
                 l.annotated_at IS NOT NULL AND coalesce(l.annotation_error LIKE '%${PUT_THERE}%', true) AS "wasElsewhere"
            FROM app.listing l
           WHERE l.harmonization_id = h.id AND l.number > $3 AND l.number <= $4 AND l.own_id <> ''
             AND ${OUTCOME} = 'matched' AND NOT ${IS_ANNOTATED}
             AND NOT coalesce(l.annotation_error IS NOT NULL AND l.annotated_at >= $5, false)
           ORDER BY l.number LIMIT ${MOST}) l ON true
        WHERE h.id = $1 AND h.state = 'annotating' AND h.paused_for IS NULL AND h.task->>'runner' = $2`,
      values: [id, runner, from, from + STRETCH, since],
    });
    if (rows.length === 0) return "stopped";
    if (rows[0]?.number !== null) return rows;
  }
  return [];
}

/** What the words of a conflict begin with, and what is in them where it is with an annotation of ours. */
export const ALREADY_ON = "Already on";
export const PUT_THERE = "where this file put it before its match was corrected";

/** Notes that it is written, or why not. */
export async function noteAnnotation(
  { pool }: Database,
  id: string,
  number: number,
  error: string | undefined,
): Promise<void> {
  await pool.query({
    name: "note-annotation",
    text: "UPDATE app.listing SET annotated_at = now(), annotation_error = $3 WHERE harmonization_id = $1 AND number = $2",
    values: [id, number, error],
  });
}

/** Told from the listings, so that it is right whatever died meanwhile. */
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
          count(*) FILTER (WHERE l.annotation_error LIKE '${ALREADY_ON}%')::int AS conflicts,
          count(*) FILTER (WHERE l.annotation_error NOT LIKE '${ALREADY_ON}%')::int AS failed
        FROM app.listing l WHERE l.harmonization_id = $1 AND l.number > $3 AND l.number <= $4
         AND l.annotated_at IS NOT NULL`,
      values: [id, since, from, from + STRETCH],
    });
    for (const key of Object.keys(report) as (keyof AnnotateReport)[]) report[key] += rows[0]?.[key] ?? 0;
  }
  return report;
}
