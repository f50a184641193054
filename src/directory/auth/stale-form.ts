import type { FastifyReply, FastifyRequest } from "fastify";
import { forgedForm, textField } from "../../http/pages/forms.ts";
import { t } from "../../language/translate.ts";
import type { DirectoryDeps } from "../deps.ts";
import { showNew } from "./applications/applications.ts";
import { readForm } from "./applications/form.ts";
import { afterLogin, ownPage, SESSION_COOKIE, signedInUser } from "./base/session.ts";
import { showConsent, showLogin, showSignUp } from "./dialogs.ts";
import { asHandle, whoAnswers } from "./login.ts";
import { typedFields } from "./sign-up.ts";
import { findRequest, requestIsOver } from "./waiting-requests.ts";

/**
 * Shows a form again that came with the form token of another session, and does nothing else. If the user is already
 * logged in, a repeated log-in form continues.
 */
export function staleFormAnswer(deps: Pick<DirectoryDeps, "pool">) {
  return async (call: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { url } = call.routeOptions;
    if (url === "/applications") return registrationAgain(deps, call, reply);
    const request = textField(call.body, "request");
    const isDecision = url === "/oauth2/consent" && request !== "";
    if (!isDecision && url !== "/login" && url !== "/sign-up") throw forgedForm();
    const handle = textField(call.body, "handle");
    const next = ownPage(textField(call.body, "next"));
    const waiting = await findRequest(deps, request);

    if (isDecision) {
      if (!waiting) throw requestIsOver();
      const { answerer } = await whoAnswers(deps, call, waiting);
      if (answerer) return showConsent(reply.code(403), waiting, answerer, onceMore());
    } else if ((await signedInUser(deps, call))?.handle === asHandle(handle))
      return reply.redirect(afterLogin(request, next), 303);
    const form = Object.keys(call.cookies).some((name) => name.endsWith(SESSION_COOKIE)) ? onceMore() : noCookie();
    if (url === "/sign-up")
      return showSignUp(reply.code(403), { request, waiting, values: typedFields(call.body), errors: { form } });
    return showLogin(reply.code(403), { request, next, waiting, handle: handle.slice(0, 100), errors: { form } });
  };
}

async function registrationAgain(deps: Pick<DirectoryDeps, "pool">, request: FastifyRequest, reply: FastifyReply) {
  const user = await signedInUser(deps, request);
  if (!user) throw forgedForm();
  return showNew({ reply, user }, { form: readForm(request.body), errors: { form: onceMore() }, status: 403 });
}

const onceMore = () => t("This page was out of date, so nothing was saved. Send the form again.");
const noCookie = () => t("Your browser did not send our cookie. Allow cookies for this site and try again.");
