import { prepared, queryRows, rawSql, type Sql, sql } from "../../db/sql.ts";
import type { Deps, LongTask } from "./long-task.ts";

/** Listings that one statement looks through. */
export const STRETCH = 20_000;

type State = "adding" | "annotating" | "undoing";

/** SQL: whether the harmonization `h` with an id still lets a run work on its task. */
export const ownsTask = (state: State, id: string, runner: string): Sql =>
  sql`h.id = ${id} AND h.state = ${rawSql(`'${state}'`)} AND h.paused_for IS NULL AND coalesce(h.retry_at <= now(), true)
    AND h.task->>'runner' = ${runner}`;

interface Wanted {
  state: State;
  /** SQL: of a listing `l`, with its number. */
  columns: Sql;
  /** SQL: whether the task has to do a listing `l`. */
  isDue: Sql;
  /** Number of the last listing that was returned. */
  after: number;
  most: number;
}

/** Returns the next listings of a task; "stopped" if it is paused, waiting, over or another run's. */
export async function nextDue<T extends { number: number }>(
  { pool }: Pick<Deps, "pool">,
  { id, listingCount }: { id: string; listingCount: number },
  { runner }: LongTask & { runner: string },
  { state, columns, isDue, after, most }: Wanted,
): Promise<T[] | "stopped"> {
  for (let from = after; from < listingCount; from += STRETCH) {
    const rows = (await queryRows(prepared(pool))`
      SELECT l.* FROM app.harmonization h LEFT JOIN LATERAL (
         SELECT ${columns} FROM app.listing l
          WHERE l.harmonization_id = h.id AND l.number > ${from} AND l.number <= ${from + STRETCH} AND ${isDue}
          ORDER BY l.number LIMIT ${most}) l ON true
       WHERE ${ownsTask(state, id, runner)} ORDER BY l.number`) as (T | { number: null })[];
    if (rows.length === 0) return "stopped";
    const due = rows.filter((row): row is T => row.number !== null);
    if (due.length > 0) return due;
  }
  return [];
}
