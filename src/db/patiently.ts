import { setTimeout as after } from "node:timers/promises";
import { isUnavailable } from "./unavailable.ts";

/** Between two attempts at a database that is away or busy. */
export const DATABASE_RETRY_MS = 500;
const PATIENCE_MS = 60_000;

interface Options {
  /** Ends the waiting. */
  signal?: AbortSignal;
  patienceMs?: number;
  /** Called with the error of the first attempt. */
  onFirst?(error: unknown): void;
}

/** Does a step, and does it again while the database is away. */
export type Patiently = <T>(step: () => Promise<T>) => Promise<T>;

/**
 * Tries `step` again while the database is away or too busy, for a minute unless given. For work that may be done twice and
 * that nobody is waiting for.
 *
 * @throws what `step` throws, once `patienceMs` have passed or where it is something else; the reason of `signal` where it waits
 */
export async function patiently<T>(
  step: () => Promise<T>,
  { signal, patienceMs = PATIENCE_MS, onFirst }: Options = {},
): Promise<T> {
  const begun = performance.now();
  for (let times = 1; ; times++) {
    try {
      return await step();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      signal?.throwIfAborted();
      if (performance.now() - begun > patienceMs) throw error;
      if (times === 1) onFirst?.(error);
      await after(DATABASE_RETRY_MS, undefined, { ...(signal && { signal }) }).catch(() => signal?.throwIfAborted());
    }
  }
}
