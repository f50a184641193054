import { t } from "../language/translate.ts";
import { unavailable } from "./errors.ts";

export const PATIENCE_MS = 3000;

/** Returns the result of `work`, or throws if it takes longer than `ms`. Does not cancel `work`. */
export function within<T>(work: Promise<T>, ms = PATIENCE_MS): Promise<T> {
  const late = Promise.withResolvers<never>();
  const words = () =>
    t("The answer took longer than {seconds} seconds. Reload the page to ask again.", { seconds: ms / 1000 });
  const refuse = () => late.reject(unavailable(words()));
  const timer = setTimeout(refuse, ms);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
