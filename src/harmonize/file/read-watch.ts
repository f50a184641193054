import type { Pool } from "pg";

/** `task` of a harmonization whose file is being read: its rows and bytes so far. */
export interface ReadSoFar {
  rows: number;
  bytes: number;
}

/** Beside it in one that was begun again, until its listings are read: whose rows are written as its file, and how many there are. */
export interface Copying {
  from: string;
  total: number;
}

/** Between two looks at whether it is still wanted. */
const LOOK_MS = 1000;
/** A database that takes no rows for so long may be gone: the connection would not say so for hours. */
const SILENCE_MS = 30_000;
/** What follows the last row may take this long: constraints, and the decisions of the edition before. */
const REST_MS = 900_000;

/**
 * Notes every second how much of a file has been read. `signal` aborts once the file is no longer to be read, because a
 * deletion would wait for the transaction; and when the database has taken nothing for SILENCE_MS.
 */
export function watchReading(pool: Pool, id: string) {
  const controller = new AbortController();
  const soFar: ReadSoFar = { rows: 0, bytes: 0 };
  let isOver = false;
  let goesOnUntil = performance.now() + SILENCE_MS;
  const timer = setInterval(async () => {
    if (performance.now() > goesOnUntil) controller.abort(new Error("The database takes no rows of a file."));
    const noted = await pool.query(NOTE, [id, soFar]).catch(() => undefined);
    if (noted?.rowCount === 0 && !isOver) controller.abort();
  }, LOOK_MS);
  return {
    ...{ signal: controller.signal, soFar },
    /** To be called when the database has taken rows; `isEnd` with the last of them. */
    goesOn(isEnd: boolean): void {
      goesOnUntil = performance.now() + (isEnd ? REST_MS : SILENCE_MS);
    },
    stop(): void {
      isOver = true;
      clearInterval(timer);
    },
  };
}

const NOTE = `UPDATE app.harmonization SET task = coalesce(task, '{}') || $2 WHERE id = $1 AND state = 'reading' AND paused_for IS NULL`;
