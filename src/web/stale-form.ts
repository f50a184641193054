import type { FastifyReply, FastifyRequest } from "fastify";
import { forgedForm } from "../http/forms.ts";
import type { Web } from "./base/deps.ts";
import { ADD_AS_NEW, showAddAsNewAgain } from "./harmonize/add/add-as-new.ts";
import { showFormAgain } from "./venues/add.ts";

/**
 * Answers a form that came with the token of another session, or without a session, and does nothing else: what was
 * typed to add a venue is kept, and who is logged out already need not be told so.
 */
export function staleFormAnswer(web: Web) {
  const addForm = showFormAgain(web);
  const addAsNewForm = showAddAsNewAgain(web);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { url } = request.routeOptions;
    if (url === "/venues") return addForm(request, reply);
    if (url === ADD_AS_NEW) return addAsNewForm(request, reply);
    if (url === "/logout" && !request.session.owner) return reply.redirect("/", 303);
    throw forgedForm();
  };
}
