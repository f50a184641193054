import { unavailable } from "../../shared/errors.ts";

export const PATIENCE_MS = 3000;

/** Returns the result of `work`, or throws if it takes too long. Does not cancel `work`. */
export function within<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const refuse = () => late.reject(unavailable(`There was no answer within ${PATIENCE_MS / 1000} seconds.`));
  const timer = setTimeout(refuse, PATIENCE_MS);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
