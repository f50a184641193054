import type { DirectoryDeps } from "../directory/deps.ts";
import { findUser } from "../directory/users.ts";
import { KnownError, notFound } from "../shared/errors.ts";

/** Throws KnownError unless there is a user with this handle who may log in. */
export async function userOf(deps: DirectoryDeps, handle: string) {
  const user = await findUser(deps, handle);
  if (!user) throw notFound(`There is no user with the handle ${handle}. Add one with: samespot user add`);
  if (user.disabledAt) throw new KnownError(400, "param_error", `The user ${handle} is disabled.`);
  return user;
}
