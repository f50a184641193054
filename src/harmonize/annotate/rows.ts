import type { AnnotateReport, AnnotateTask, Deps } from "../run/long-task.ts";
import { type ListingId, MATCHED_VENUE, OUTCOME } from "../run/rows.ts";

type Database = Pick<Deps, "pool">;
type Of = { id: string; listingCount: number };
type Running = AnnotateTask & { runner: string };

export interface Mapping {
  ownId: string;
  venueId: string;
  /** It was annotated on another venue before, as far as is known here. */
  wasElsewhere: boolean;
  /** When all this was so. */
  at: Date;
}

/** `annotated_at` is when it was tried last, `annotation_error` why it failed. Here: it was tried on the venue it has now. */
const IS_TRIED = "coalesce(l.annotated_at >= greatest(l.decided_at, l.matched_at), false)";
const IS_ANNOTATED = `(l.annotation_error IS NULL AND ${IS_TRIED})`;

/** That the run $2 of the task of a harmonization `h`, $1, goes on. */
const GOES_ON = `h.id = $1 AND h.state = 'annotating' AND h.paused_for IS NULL AND coalesce(h.retry_at <= now(), true)
  AND h.task->>'runner' = $2`;

/** A mapping that is not in the directory yet, and that the task begun at $3 has not tried. */
const IS_DUE = `l.own_id <> '' AND ${OUTCOME} = 'matched' AND NOT ${IS_ANNOTATED}
  AND NOT coalesce(l.annotation_error IS NOT NULL AND l.annotated_at >= $3, false)`;

/** Rows that one statement looks through, so that it never takes long, and mappings that it answers at most. */
const STRETCH = 20_000;
const MOST = 200;

/**
 * The next listings behind `after` whose mappings are not in the directory yet, in the order of the file; none at the end.
 * "stopped" once the task is paused, waits, is over, or another run's.
 */
export async function nextToAnnotate(
  { pool }: Database,
  { id, listingCount }: Of,
  { since, runner }: Running,
  after: number,
): Promise<number[] | "stopped"> {
  for (let from = after; from < listingCount; from += STRETCH) {
    const { rows } = await pool.query<{ number: number | null }>({
      name: "next-to-annotate",
      text: `SELECT l.number FROM app.harmonization h LEFT JOIN LATERAL (
          SELECT l.number FROM app.listing l
           WHERE l.harmonization_id = h.id AND l.number > $4 AND l.number <= $5 AND ${IS_DUE}
           ORDER BY l.number LIMIT ${MOST}) l ON true
        WHERE ${GOES_ON}`,
      values: [id, runner, since, from, from + STRETCH],
    });
    if (rows.length === 0) return "stopped";
    const numbers = rows.flatMap(({ number }) => number ?? []);
    if (numbers.length > 0) return numbers;
  }
  return [];
}

/** What is to be written of a listing now; undefined where nothing is any more. "stopped" as above. */
export async function mappingOf(
  { pool }: Database,
  { id }: Pick<Of, "id">,
  { since, runner }: Running,
  number: number,
): Promise<Mapping | undefined | "stopped"> {
  const { rows } = await pool.query<Mapping | { ownId: null }>({
    name: "mapping-to-annotate",
    text: `SELECT l.own_id AS "ownId", ${MATCHED_VENUE} AS "venueId", now()::timestamptz(3) AS at,
             l.annotated_at IS NOT NULL AND coalesce(l.annotation_error LIKE '%${PUT_THERE}%', true) AS "wasElsewhere"
        FROM app.harmonization h LEFT JOIN app.listing l ON l.harmonization_id = h.id AND l.number = $4 AND ${IS_DUE}
       WHERE ${GOES_ON}`,
    values: [id, runner, since, number],
  });
  const [row] = rows;
  if (!row) return "stopped";
  return row.ownId === null ? undefined : row;
}

/** What the words of a conflict begin with, and what is in them where it is with an annotation of ours. */
export const ALREADY_ON = "Already on";
export const PUT_THERE = "where this file put it before its match was corrected";

/** Notes that it is written, or why not. Where the listing has another venue since, that one is still to be written. */
export async function noteAnnotation(
  { pool }: Database,
  { id, number }: ListingId,
  { venueId, at }: Mapping,
  error: string | undefined,
): Promise<void> {
  await pool.query({
    name: "note-annotation",
    text: `UPDATE app.listing AS l SET annotation_error = $5, annotated_at = CASE WHEN ${MATCHED_VENUE} = $3 THEN $4
             ELSE least($4, greatest(l.decided_at, l.matched_at) - interval '1 millisecond') END
           WHERE harmonization_id = $1 AND number = $2`,
    values: [id, number, venueId, at, error],
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
          count(*) FILTER (WHERE ${IS_TRIED} AND l.annotation_error LIKE '${ALREADY_ON}%')::int AS conflicts,
          count(*) FILTER (WHERE ${IS_TRIED} AND l.annotation_error NOT LIKE '${ALREADY_ON}%')::int AS failed
        FROM app.listing l WHERE l.harmonization_id = $1 AND l.number > $3 AND l.number <= $4
         AND l.annotated_at IS NOT NULL`,
      values: [id, since, from, from + STRETCH],
    });
    for (const key of Object.keys(report) as (keyof AnnotateReport)[]) report[key] += rows[0]?.[key] ?? 0;
  }
  return report;
}
