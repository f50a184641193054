import type { DirectoryDeps } from "../directory/deps.ts";
import { findUser } from "../directory/users.ts";
import { badRequest, notFound } from "../shared/errors.ts";

/** Throws KnownError unless there is a user with this handle who may log in. */
export async function userOf(deps: DirectoryDeps, handle: string) {
  const user = await findUser(deps, handle);
  if (!user) throw notFound(`There is no user with the handle ${handle}. Add one with: samespot user add`);
  if (user.disabledAt) throw badRequest(`The user ${handle} is disabled.`);
  return user;
}
