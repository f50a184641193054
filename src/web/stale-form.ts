import type { FastifyReply, FastifyRequest } from "fastify";
import { forgedForm } from "../http/forms.ts";
import type { Web } from "./base/deps.ts";
import { addAsNew, showAddAsNewAgain } from "./harmonize/add/add-as-new.ts";
import { logOut } from "./login/logged-out.ts";
import { addVenue, showFormAgain } from "./venues/add.ts";

/**
 * Answers a form that came with the token of another session, or without a session, and does nothing else: what was
 * typed to add a venue is kept, and who is logged out already need not be told so.
 */
export function staleFormAnswer(web: Web) {
  const addForm = showFormAgain(web);
  const addAsNewForm = showAddAsNewAgain(web);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { handler } = request.routeOptions.config;
    if (handler === addVenue) return addForm(request, reply);
    if (handler === addAsNew) return addAsNewForm(request, reply);
    if (handler === logOut && !request.session.owner) return reply.redirect("/", 303);
    throw forgedForm();
  };
}
