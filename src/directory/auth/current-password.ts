import type { FastifyRequest } from "fastify";
import { KnownError } from "../../shared/errors.ts";
import type { DirectoryDeps } from "../deps.ts";
import { createBrake } from "./brake.ts";
import type { SignedInUser } from "./session/signed-in.ts";

/**
 * For forms that take the password in use from who is signed in. All of them share one brake, so that a stolen session
 * cannot be used to guess it.
 *
 * @returns a function that tries `isRight`, which checks the password, and answers what to say beside its field: 429 with
 * Retry-After, or 400 for a wrong one; undefined for the right one
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
    if (!(await isRight())) return new KnownError(400, "param_error", "This is not the password you use now");
    await brake.clear(id, call);
    return undefined;
  };
}
