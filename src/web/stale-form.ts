import type { FastifyReply, FastifyRequest } from "fastify";
import { forgedForm } from "../http/pages/forms.ts";
import type { Web } from "./base/deps.ts";
import { addCheckin, showCheckinFormAgain } from "./checkins/change.ts";
import { addAsNew, showAddAsNewAgain } from "./harmonize/add/add-as-new.ts";
import { logOut } from "./login/logged-out.ts";
import { addVenue, showFormAgain } from "./venues/add.ts";
import { correct, showCorrectionAgain } from "./venues/correct.ts";

/**
 * Returns the handler for forms with the token of another session, or of none. It changes nothing: forms that add or
 * correct a venue are shown again with their input, and a log-out without a session succeeds.
 */
export function staleFormAnswer(web: Web) {
  const addForm = showFormAgain(web);
  const correctionForm = showCorrectionAgain(web);
  const addAsNewForm = showAddAsNewAgain(web);
  const checkinForm = showCheckinFormAgain(web);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { handler } = request.routeOptions.config;
    if (handler === addVenue) return addForm(request, reply);
    if (handler === correct) return correctionForm(request, reply);
    if (handler === addCheckin) return checkinForm(request, reply);
    if (handler === addAsNew) return addAsNewForm(request, reply);
    if (handler === logOut && !request.session.owner) return reply.redirect("/", 303);
    throw forgedForm();
  };
}
