import { setTimeout as after } from "node:timers/promises";
import { isUnavailable } from "./unavailable.ts";

/** Between two attempts at a database that is away or busy. */
export const DATABASE_RETRY_MS = 500;
const PATIENCE_MS = 60_000;

interface Options {
  /** Ends the waiting. */
  signal?: AbortSignal;
  /** Called with the error of the first attempt. */
  onFirst?(error: unknown): void;
}

/**
 * Tries `work` again for a minute while the database is away or too busy. For work that may be done twice and that nobody is
 * waiting for.
 *
 * @throws what `work` throws, after that minute or where it is something else; and once `signal` aborts
 */
export async function patiently<T>(work: () => Promise<T>, { signal, onFirst }: Options = {}): Promise<T> {
  const begun = performance.now();
  for (let times = 1; ; times++) {
    try {
      return await work();
    } catch (error) {
      const isOver = signal?.aborted || performance.now() - begun > PATIENCE_MS;
      if (isOver || !isUnavailable(error)) throw error;
      if (times === 1) onFirst?.(error);
      await after(DATABASE_RETRY_MS, undefined, { ...(signal && { signal }) });
    }
  }
}
