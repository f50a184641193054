import { t } from "../language/translate.ts";
import { unavailable } from "./errors.ts";

export const PATIENCE_MS = 3000;

/** Returns the result of `work`, or throws `late`'s error if it takes longer than `ms`. Does not cancel `work`. */
export function within<T>(work: Promise<T>, ms = PATIENCE_MS, late: (ms: number) => Error = tookLonger): Promise<T> {
  const refused = Promise.withResolvers<never>();
  const timer = setTimeout(() => refused.reject(late(ms)), ms);
  return Promise.race([work, refused.promise]).finally(() => clearTimeout(timer));
}

const tookLonger = (ms: number): Error =>
  unavailable(
    t("The answer took longer than {seconds} seconds. Reload the page to ask again.", { seconds: ms / 1000 }),
  );
