import type { FastifyReply, FastifyRequest } from "fastify";
import { textField } from "../../http/pages/forms.ts";
import type { Guard } from "../../http/routes.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import type { DirectoryDeps } from "../deps.ts";
import { consent, tokenOf } from "../tokens.ts";
import { answerAddress } from "./answer.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { issueCode } from "./client/codes.ts";
import { showConsent, showLogin } from "./dialogs.ts";
import { type Answerer, whoAnswers } from "./fresh-login.ts";
import { sendBack } from "./hand-over.ts";
import type { AuthDeps } from "./session/deps.ts";
import { afterLogin } from "./session/log-in-paths.ts";
import { findRequest, requestIsOver, spendRequest, type WaitingRequest } from "./waiting-requests.ts";

interface PendingConsent {
  waiting: WaitingRequest;
  answerer: Answerer;
}

export const answerers: Guard<AuthDeps, PendingConsent> = (deps, handler) => async (call, reply) => {
  const isGet = call.method === "GET";
  const waiting = await theRequest(deps, textField(isGet ? call.query : call.body, "request"));
  const { answerer, handle } = await whoAnswers(deps, call, waiting);
  if (answerer) return handler(deps, call, reply, { waiting, answerer });
  return isGet
    ? showLogin(reply, { request: waiting.id, waiting, handle })
    : reply.redirect(afterLogin(waiting.id), 303);
};

export async function askConsent(
  deps: AuthDeps,
  _call: FastifyRequest,
  reply: FastifyReply,
  { waiting, answerer }: PendingConsent,
) {
  if (!answerer.hasConsented || waiting.alwaysPrompt) return showConsent(reply, waiting, answerer);
  await spend(deps, waiting);
  return sendBack(reply, await allow(deps, answerer, waiting), waiting.display);
}

export async function decideConsent(
  deps: AuthDeps,
  call: FastifyRequest,
  reply: FastifyReply,
  { waiting, answerer }: PendingConsent,
) {
  refuseAlteredFields(call.body, waiting);
  const decision = textField(call.body, "decision");
  if (decision !== "allow" && decision !== "deny")
    throw new KnownError(400, "param_error", t("Choose Allow or Deny."), { title: t("No decision was sent") });
  await spend(deps, waiting);
  const isAllowed = decision === "allow";
  const denied = { error: "access_denied", error_description: "the user did not allow it" };
  const address = isAllowed ? await allow(deps, answerer, waiting) : answerAddress(waiting, denied);
  return sendBack(reply, address, waiting.display);
}

async function theRequest(deps: DirectoryDeps, id: string): Promise<WaitingRequest> {
  const waiting = await findRequest(deps, id);
  if (!waiting) throw requestIsOver();
  return waiting;
}

async function spend(deps: DirectoryDeps, waiting: WaitingRequest): Promise<void> {
  if (!(await spendRequest(deps, waiting.id))) throw requestIsOver();
}

/** The form contains none of these fields, so a request with different values was altered (attacks B25). */
function refuseAlteredFields(body: unknown, waiting: WaitingRequest): void {
  const stored = {
    client_id: waiting.clientId,
    redirect_uri: waiting.redirectUri,
    response_type: waiting.responseType,
    state: waiting.state,
  };
  const sent = body as Record<string, unknown>;
  if (Object.entries(stored).some(([name, value]) => name in sent && sent[name] !== value))
    throw new KnownError(
      400,
      "invalid_request",
      t("This form does not match its request. Go back to the application and start again."),
    );
}

export async function allow(
  deps: DirectoryDeps,
  { id: userId, authTime }: Pick<Answerer, "id" | "authTime">,
  request: AuthorizationRequest,
): Promise<string> {
  const pair = { userId, clientId: request.clientId };
  await consent(deps, pair);
  if (request.responseType === "token") return answerAddress(request, { access_token: await tokenOf(deps, pair) });
  const redirectUri = request.isWebConnect ? "" : request.redirectUri;
  return answerAddress(request, { code: await issueCode(deps, { ...request, userId, redirectUri, authTime }) });
}
