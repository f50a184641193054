import { joinSql, prepared, queryRow, queryRows, rawSql, type Sql, sql } from "../../db/sql.ts";
import { DOUBTFUL } from "../positions/place-check.ts";
import type { AddReport, AddTask, Deps } from "../run/long-task.ts";
import { nextDue, STRETCH } from "../run/next-due.ts";
import { OUTCOME } from "../run/rows.ts";
import type { Guessable } from "./category.ts";
import type { Cells } from "./venue.ts";

type Database = Pick<Deps, "pool">;
type Running = AddTask & { runner: string };

export interface ToAdd extends Cells, Pick<Guessable, "chosen" | "candidates"> {
  number: number;
  refused: string[];
}

/** SQL: a listing `l` without a match that nobody has skipped, and of which no add is under way. */
export const WITHOUT_MATCH = sql`${OUTCOME} = 'none' AND l.adding IS NULL AND l.skipped_at IS NULL`;
const DOUBTS = joinSql(DOUBTFUL.map((code) => rawSql(`'${code}'`)));

const addable = (placed: Sql): Sql =>
  sql`(${WITHOUT_MATCH} AND ${placed} AND coalesce(l.problem->>'code' NOT IN ('add_unknown', ${DOUBTS}), true))`;

/** SQL: a listing `l` whose position an add has found doubtful, so that it is not added with the others. */
export const HELD_BACK = sql`(${WITHOUT_MATCH} AND coalesce(l.problem->>'code' IN (${DOUBTS}), false))`;

const PLACED = sql`l.query->'ll' IS NOT NULL`;
const PLACED_BY_ADDRESS = sql`(l.query->'ll' IS NULL AND l.query->'byAddress' IS NOT NULL)`;

// SQL: a listing `l` that can be added in bulk, with its own position or only with one estimated from its address.
export const ADDABLE = addable(PLACED);
export const ADDABLE_BY_ADDRESS = addable(PLACED_BY_ADDRESS);

/** SQL: whether the task of `h` takes a listing `l` where it is. */
const PLACED_FOR_TASK = sql`(${PLACED} OR (coalesce(h.task->'byAddress' = 'true', false) AND ${PLACED_BY_ADDRESS}))`;

/** SQL: a listing `l` that the task of `h` has still to add, or to hold back. */
export const TO_ADD_BY_TASK = addable(PLACED_FOR_TASK);

/** Returns the next listings to add; "stopped" as nextDue() says. */
export const nextToAdd = (
  db: Database,
  h: { id: string; listingCount: number },
  task: Running,
  portion: { after: number; most: number },
): Promise<ToAdd[] | "stopped"> =>
  nextDue<ToAdd>(db, h, task, {
    state: "adding",
    columns: sql`l.number, l.cells, l.query, l.category_id AS chosen, l.candidates, CASE WHEN l.decision = 'rejected'
      THEN ARRAY(SELECT jsonb_array_elements(l.candidates)->>'id') ELSE '{}' END AS refused`,
    isDue: sql`${TO_ADD_BY_TASK} AND coalesce(l.matched_at < ${task.since}::timestamptz, true)
      AND coalesce((l.problem->>'at')::timestamptz < ${task.since}::timestamptz, true)`,
    ...portion,
  });

export const interruptedAdds = (db: Database, id: string): Promise<{ number: number; isMany: boolean }[]> =>
  queryRows<{ number: number; isMany: boolean }>(prepared(db))`
    SELECT number, adding->>'how' = 'many' AS "isMany" FROM app.listing
     WHERE harmonization_id = ${id} AND adding IS NOT NULL
       AND (adding->>'how' = 'many' OR (adding->>'since')::timestamptz < now() - interval '15 seconds')
     ORDER BY number LIMIT 1000`;

/** Counts from the listings, so it is right even after a crash. */
export async function addReport(
  db: Database,
  { id, listingCount }: { id: string; listingCount: number },
  { since }: AddTask,
): Promise<AddReport> {
  const report = { added: 0, matched: 0, review: 0, heldBack: 0, left: 0, failed: 0 };
  for (let from = 0; from < listingCount; from += STRETCH) {
    const counts = await queryRow<AddReport>(db)`
      SELECT
         count(*) FILTER (WHERE decision = 'added' AND decided_how = 'many' AND decided_at >= ${since}::timestamptz)::int AS added,
         count(*) FILTER (WHERE decision = 'matched' AND decided_how = 'many' AND decided_at >= ${since}::timestamptz)::int AS matched,
         count(*) FILTER (WHERE decision IS NULL AND matched_at >= ${since}::timestamptz)::int AS review,
         count(*) FILTER (WHERE (problem->>'at')::timestamptz >= ${since}::timestamptz AND problem->>'code' = 'no_category')::int AS left,
         count(*) FILTER (WHERE (problem->>'at')::timestamptz >= ${since}::timestamptz AND problem->>'code' IN (${DOUBTS}))::int AS "heldBack",
         count(*) FILTER (WHERE (problem->>'at')::timestamptz >= ${since}::timestamptz AND problem->>'code' NOT IN ('no_category', ${DOUBTS}))::int AS failed
       FROM app.listing WHERE harmonization_id = ${id} AND number > ${from} AND number <= ${from + STRETCH}`;
    for (const key of Object.keys(report) as (keyof typeof report)[]) report[key] += counts?.[key] ?? 0;
  }
  return report;
}
