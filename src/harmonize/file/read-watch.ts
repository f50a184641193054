import type { Pool } from "pg";
import { execute } from "../../db/sql.ts";

export interface ReadSoFar {
  rows: number;
  bytes: number;
}

/** Also in `task` if begun again: where the rows come from. */
export interface Copying {
  from: string;
  total: number;
}

const LOOK_MS = 1000;
/** A dead connection would go unnoticed for hours. */
const SILENCE_MS = 30_000;
const REST_MS = 900_000;

/**
 * Records the progress every second. `signal` aborts if the database takes no rows for SILENCE_MS, or if the file is no
 * longer to be read, since a deletion would wait for the transaction.
 */
export function watchReading(pool: Pool, id: string) {
  const controller = new AbortController();
  const soFar: ReadSoFar = { rows: 0, bytes: 0 };
  let isOver = false;
  let goesOnUntil = performance.now() + SILENCE_MS;
  const timer = setInterval(async () => {
    if (performance.now() > goesOnUntil) controller.abort(new Error("The database takes no rows of a file."));
    const noted = await execute(pool)`
      UPDATE app.harmonization SET task = coalesce(task, '{}') || ${JSON.stringify(soFar)}::jsonb
       WHERE id = ${id} AND state = 'reading' AND paused_for IS NULL`.catch(() => undefined);
    if (noted === 0 && !isOver) controller.abort();
  }, LOOK_MS);
  return {
    signal: controller.signal,
    soFar,
    goesOn(isEnd: boolean): void {
      goesOnUntil = performance.now() + (isEnd ? REST_MS : SILENCE_MS);
    },
    stop(): void {
      isOver = true;
      clearInterval(timer);
    },
  };
}
