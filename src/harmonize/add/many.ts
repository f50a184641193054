import { MISPLACED } from "../positions/place-check.ts";
import type { AddReport, AddTask, Deps } from "../run/long-task.ts";
import { OUTCOME } from "../run/rows.ts";
import type { Cells } from "./venue.ts";

type Database = Pick<Deps, "pool">;
type Running = AddTask & { runner: string };

export interface ToAdd extends Cells {
  number: number;
  refused: string[];
}

// SQL: a listing `l` that can be added in bulk.
export const ADDABLE = `(${OUTCOME} = 'none' AND l.query->'ll' IS NOT NULL AND l.adding IS NULL AND l.skipped_at IS NULL
  AND coalesce(l.problem->>'code' NOT IN ('add_unknown', '${MISPLACED}'), true))`;

const STRETCH = 20_000;

/** Returns the next listings to add; "stopped" if the task is paused, waiting, over or another run's. */
export async function nextToAdd(
  { pool }: Database,
  { id, listingCount }: { id: string; listingCount: number },
  { since, runner }: Running,
  { after, most }: { after: number; most: number },
): Promise<ToAdd[] | "stopped"> {
  for (let from = after; from < listingCount; from += STRETCH) {
    const { rows } = await pool.query<ToAdd & { number: number | null }>({
      name: "next-to-add",
      text: `SELECT l.* FROM app.harmonization h LEFT JOIN LATERAL (
          SELECT l.number, l.cells, l.query, CASE WHEN l.decision = 'rejected'
                 THEN ARRAY(SELECT jsonb_array_elements(l.candidates)->>'id') ELSE '{}' END AS refused
            FROM app.listing l WHERE l.harmonization_id = h.id AND l.number > $3 AND l.number <= $4
             AND ${ADDABLE} AND coalesce(l.matched_at < $5::timestamptz, true)
             AND coalesce((l.problem->>'at')::timestamptz < $5::timestamptz, true)
           ORDER BY l.number LIMIT $6) l ON true
        WHERE h.id = $1 AND h.state = 'adding' AND h.paused_for IS NULL AND coalesce(h.retry_at <= now(), true)
         AND h.task->>'runner' = $2 ORDER BY l.number`,
      values: [id, runner, from, from + STRETCH, since, most],
    });
    if (rows.length === 0) return "stopped";
    if (rows[0]?.number !== null) return rows;
  }
  return [];
}

export async function interruptedAdds({ pool }: Database, id: string): Promise<{ number: number; isMany: boolean }[]> {
  const { rows } = await pool.query<{ number: number; isMany: boolean }>({
    name: "interrupted-adds",
    text: `SELECT number, adding->>'how' = 'many' AS "isMany" FROM app.listing
            WHERE harmonization_id = $1 AND adding IS NOT NULL
              AND (adding->>'how' = 'many' OR (adding->>'since')::timestamptz < now() - interval '15 seconds')
            ORDER BY number LIMIT 1000`,
    values: [id],
  });
  return rows;
}

/** Counts from the listings, so it is right even after a crash. */
export async function addReport(
  { pool }: Database,
  { id, listingCount }: { id: string; listingCount: number },
  { since }: AddTask,
): Promise<AddReport> {
  const report = { added: 0, matched: 0, review: 0, failed: 0 };
  for (let from = 0; from < listingCount; from += STRETCH) {
    const { rows } = await pool.query<AddReport>({
      name: "add-report",
      text: `SELECT
          count(*) FILTER (WHERE decision = 'added' AND decided_how = 'many' AND decided_at >= $2)::int AS added,
          count(*) FILTER (WHERE decision = 'matched' AND decided_how = 'many' AND decided_at >= $2)::int AS matched,
          count(*) FILTER (WHERE decision IS NULL AND matched_at >= $2)::int AS review,
          count(*) FILTER (WHERE (problem->>'at')::timestamptz >= $2)::int AS failed
        FROM app.listing WHERE harmonization_id = $1 AND number > $3 AND number <= $4`,
      values: [id, since, from, from + STRETCH],
    });
    for (const key of ["added", "matched", "review", "failed"] as const) report[key] += rows[0]?.[key] ?? 0;
  }
  return report;
}
