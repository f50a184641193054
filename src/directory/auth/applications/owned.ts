import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../../config/config.ts";
import { notFound } from "../../../shared/errors.ts";
import { findApplication, type ShownApplication } from "../../applications.ts";
import type { DirectoryDeps } from "../../deps.ts";
import { loginFor } from "../session/log-in-paths.ts";
import { type SignedInUser, signedInUser } from "../session/signed-in.ts";

/** What the pages about applications work with. */
export type ApplicationDeps = DirectoryDeps & { config: Pick<Config, "auth" | "api"> };

/** A call of somebody who is logged in. */
export interface Call {
  request: FastifyRequest;
  reply: FastifyReply;
  user: SignedInUser;
}

type Answer<C> = (call: C) => Promise<FastifyReply>;

/** A handler for who is logged in; everybody else is asked to. */
export function signedIn(deps: ApplicationDeps, answer: Answer<Call>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const user = await signedInUser(deps, request);
    return user ? answer({ request, reply, user }) : reply.redirect(loginFor(request.url), 303);
  };
}

/**
 * A handler for the owner of the application `:id`. To everybody else it does not exist, whatever the method
 * (attacks B39): a handler gets the application from here only.
 */
export function owned(deps: ApplicationDeps, answer: Answer<Call & { application: ShownApplication }>) {
  return signedIn(deps, async (call) => {
    const { id } = call.request.params as { id: string };
    const application = await findApplication(deps, id);
    if (application?.ownerId !== call.user.id) throw notFound("You have no application at this address.");
    return answer({ ...call, application });
  });
}
