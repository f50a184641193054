import type { FastifyRequest } from "fastify";
import { t } from "../../../language/translate.ts";
import { KnownError } from "../../../shared/errors.ts";
import type { DirectoryDeps } from "../../deps.ts";
import { createBrake } from "../session/brake.ts";
import type { SignedInUser } from "../session/signed-in.ts";

/**
 * All forms share one rate limit, so that a stolen session cannot be used to guess the password. The check returns the
 * error to show at the field: 429 with Retry-After, or 400.
 */
export function currentPasswordCheck(deps: Pick<DirectoryDeps, "pool" | "vault">) {
  const brake = createBrake(deps, { name: "password change", limit: 10, windowSeconds: 15 * 60 });
  return async (
    call: FastifyRequest,
    { id }: Pick<SignedInUser, "id">,
    isRight: () => Promise<boolean>,
  ): Promise<KnownError | undefined> => {
    const refusal = await brake.count(id, call);
    if (refusal) return refusal;
    if (!(await isRight())) return new KnownError(400, "param_error", t("This is not your current password"));
    await brake.clear(id, call);
    return undefined;
  };
}
