import type { Pool } from "pg";
import { KnownError } from "../../shared/errors.ts";
import { lastRun, type Run } from "./queue.ts";
import { searchDuplicates } from "./run.ts";

/** Hours of the server's clock in which the directory is searched. */
const NIGHT = { from: 1, until: 5 };
const EACH_MS = 20 * 3_600_000;

/** What a process of the directory does every few seconds: the search of the night, one an operator asked for, or one that ended early. */
export async function searchWhenDue(pool: Pool, signal: AbortSignal): Promise<void> {
  if (!isDue(await lastRun(pool), new Date())) return;
  await searchDuplicates({ pool, signal }).catch((error) => {
    // Another process has begun it.
    if (!(error instanceof KnownError)) throw error;
  });
}

export function isDue(last: Run | undefined, now: Date): boolean {
  if (last && !last.finishedAt) return !last.isAlive;
  const isNight = now.getHours() >= NIGHT.from && now.getHours() < NIGHT.until;
  return isNight && (!last || now.getTime() - last.startedAt.getTime() > EACH_MS);
}

/** Asks for a search, which a process of the directory begins within seconds; none if one runs or waits already. */
export const askForSearch = (pool: Pool) =>
  pool.query(
    `INSERT INTO directory.duplicate_run (seen_at)
     SELECT 'epoch' WHERE NOT EXISTS (SELECT FROM directory.duplicate_run WHERE finished_at IS NULL
                                         AND id = (SELECT max(id) FROM directory.duplicate_run))`,
  );
