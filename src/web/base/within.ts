import { t } from "../../language/translate.ts";
import { unavailable } from "../../shared/errors.ts";

export const PATIENCE_MS = 3000;

/** Returns the result of `work`, or throws if it takes too long. Does not cancel `work`. */
export function within<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const refuse = () =>
    late.reject(unavailable(t("There was no answer within {seconds} seconds.", { seconds: PATIENCE_MS / 1000 })));
  const timer = setTimeout(refuse, PATIENCE_MS);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
