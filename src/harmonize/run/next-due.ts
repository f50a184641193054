import type { Deps, LongTask } from "./long-task.ts";
import type { Parameter } from "./rows.ts";

/** Listings that one statement looks through. */
export const STRETCH = 20_000;

type State = "adding" | "annotating" | "undoing";

/** SQL: whether the harmonization `h` with an id still lets a run work on its task. */
export const goesOn = (state: State, id: Parameter, runner: Parameter): string =>
  `h.id = ${id} AND h.state = '${state}' AND h.paused_for IS NULL AND coalesce(h.retry_at <= now(), true)
    AND h.task->>'runner' = ${runner}`;

interface Wanted {
  /** Of the statement. */
  name: string;
  state: State;
  /** SQL: of a listing `l`, with its number. */
  columns: string;
  /** SQL: whether a task begun at $3 has to do a listing `l`. */
  isDue: string;
  /** Number of the last listing that was returned. */
  after: number;
  most: number;
}

/** Returns the next listings of a task; "stopped" if it is paused, waiting, over or another run's. */
export async function nextDue<T extends { number: number }>(
  { pool }: Pick<Deps, "pool">,
  { id, listingCount }: { id: string; listingCount: number },
  { since, runner }: LongTask & { runner: string },
  { name, state, columns, isDue, after, most }: Wanted,
): Promise<T[] | "stopped"> {
  for (let from = after; from < listingCount; from += STRETCH) {
    const { rows } = await pool.query<T | { number: null }>({
      name,
      text: `SELECT l.* FROM app.harmonization h LEFT JOIN LATERAL (
          SELECT ${columns} FROM app.listing l
           WHERE l.harmonization_id = h.id AND l.number > $4 AND l.number <= $5 AND ${isDue}
           ORDER BY l.number LIMIT $6) l ON true
        WHERE ${goesOn(state, "$1", "$2")} ORDER BY l.number`,
      values: [id, runner, since, from, from + STRETCH, most],
    });
    if (rows.length === 0) return "stopped";
    const due = rows.filter((row): row is T => row.number !== null);
    if (due.length > 0) return due;
  }
  return [];
}
