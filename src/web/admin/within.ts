import { setTimeout as after } from "node:timers/promises";
import { unavailable } from "../../errors.ts";

/** How long a page waits for what it asks others. */
export const PATIENCE_MS = 3000;

/** What `work` brings, or an error when that takes too long; the work itself goes on to its own deadline. */
export const within = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    after(PATIENCE_MS, undefined, { ref: false }).then(() => {
      throw unavailable(`There was no answer within ${PATIENCE_MS / 1000} seconds.`);
    }),
  ]);
