import type { Guard } from "../../../http/routes.ts";
import type { AuthDeps } from "./deps.ts";
import { loginFor } from "./log-in-paths.ts";
import { type SignedInUser, signedInUser } from "./signed-in.ts";

export interface Own {
  user: SignedInUser;
}

export const users: Guard<AuthDeps, Own> = (deps, handler) => async (request, reply) => {
  const user = await signedInUser(deps, request);
  return user ? handler(deps, request, reply, { user }) : reply.redirect(loginFor(request.url), 303);
};
