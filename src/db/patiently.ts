import { setTimeout as after } from "node:timers/promises";
import { isUnavailable } from "./unavailable.ts";

export const DATABASE_RETRY_MS = 500;
const PATIENCE_MS = 60_000;

interface Options {
  signal?: AbortSignal;
  patienceMs?: number;
  onFirst?(error: unknown): void;
}

export type Patiently = <T>(step: () => Promise<T>) => Promise<T>;

/**
 * Repeats `step` while the database is unavailable. For steps that may run twice.
 *
 * @throws the error of `step`, once `patienceMs` have passed or if it has another cause; the reason of `signal` if aborted
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
