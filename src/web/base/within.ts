import { unavailable } from "../../shared/errors.ts";

/** How long a page waits for what it asks others. */
export const PATIENCE_MS = 3000;

/** What `work` brings, or an error when that takes too long; the work itself goes on to its own deadline. */
export function within<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const refuse = () => late.reject(unavailable(`There was no answer within ${PATIENCE_MS / 1000} seconds.`));
  const timer = setTimeout(refuse, PATIENCE_MS);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
