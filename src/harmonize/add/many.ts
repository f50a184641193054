import type { Venue } from "../../contract/resources.ts";
import type { FoundVenues } from "../../directory-client/client.ts";
import { MISPLACED } from "../positions/place-check.ts";
import { assess, reasonsOf, storable } from "../run/candidates.ts";
import type { AddReport, AddTask, Deps } from "../run/long-task.ts";
import type { Problem } from "../run/problems.ts";
import type { Reason } from "../run/reasons.ts";
import { type ListingId, OUTCOME } from "../run/rows.ts";
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

/** Returns the next listing to add; "stopped" if the task is paused, waiting, over or another run's. */
export async function nextToAdd(
  { pool }: Database,
  { id, listingCount }: { id: string; listingCount: number },
  { since, runner }: Running,
  after: number,
): Promise<ToAdd | undefined | "stopped"> {
  for (let from = after; from < listingCount; from += STRETCH) {
    const { rows } = await pool.query<ToAdd & { number: number | null }>({
      name: "next-to-add",
      text: `SELECT l.* FROM app.harmonization h LEFT JOIN LATERAL (
          SELECT l.number, l.cells, l.query, CASE WHEN l.decision = 'rejected'
                 THEN ARRAY(SELECT jsonb_array_elements(l.candidates)->>'id') ELSE '{}' END AS refused
            FROM app.listing l WHERE l.harmonization_id = h.id AND l.number > $3 AND l.number <= $4
             AND ${ADDABLE} AND coalesce(l.matched_at < $5::timestamptz, true)
             AND coalesce((l.problem->>'at')::timestamptz < $5::timestamptz, true)
           ORDER BY l.number LIMIT 1) l ON true
        WHERE h.id = $1 AND h.state = 'adding' AND h.paused_for IS NULL AND coalesce(h.retry_at <= now(), true)
         AND h.task->>'runner' = $2`,
      values: [id, runner, from, from + STRETCH, since],
    });
    const [row] = rows;
    if (!row) return "stopped";
    if (row.number !== null) return row;
  }
  return undefined;
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

export async function isOwnVenue({ pool }: Database, id: string, venueId: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "is-own-venue",
    text: `SELECT FROM app.listing WHERE harmonization_id = $1 AND venue_id = $2 AND decision = 'added' LIMIT 1`,
    values: [id, venueId],
  });
  return rowCount === 1;
}

export async function matchMany(
  { pool }: Database,
  { id, number }: ListingId,
  found: FoundVenues & { venues: [Venue, ...Venue[]] },
  accountId: string,
): Promise<void> {
  const [{ id: venueId, name, evidence = [] }] = found.venues;
  const why: Reason = { code: "found_before_adding", said: reasonsOf({ evidence }).map(storable) };
  const { score, isClear, bestId, candidates, pattern } = assess(found);
  await pool.query({
    name: "match-many",
    text: `UPDATE app.listing SET decision = 'matched', venue_id = $3, venue_name = $4, decided_how = 'many',
             decided_by = $5, decided_at = now(), why = $6, status = 'asked', matched_at = now(), score = $7,
             is_clear = $8, best_id = $9, candidates = $10, pattern = $11
           WHERE harmonization_id = $1 AND number = $2 AND adding IS NULL AND (decision IS NULL OR decision = 'rejected')`,
    values: [
      ...[id, number, venueId, storable(name), accountId, why],
      ...[score, isClear, bestId, JSON.stringify(candidates), pattern],
    ],
  });
}

export async function failAdd({ pool }: Database, { id, number }: ListingId, problem: Problem): Promise<void> {
  await pool.query({
    name: "fail-add",
    text: `UPDATE app.listing SET problem = $3::jsonb || jsonb_build_object('at', now()) WHERE harmonization_id = $1 AND number = $2
             AND (decision IS NULL OR decision = 'rejected')`,
    values: [id, number, problem],
  });
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
