import type { FastifyReply, FastifyRequest } from "fastify";
import { textField } from "../../http/forms.ts";
import type { Guard } from "../../http/routes.ts";
import { KnownError } from "../../shared/errors.ts";
import type { DirectoryDeps } from "../deps.ts";
import { consent, tokenOf } from "../tokens.ts";
import { answerAddress } from "./answer.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { issueCode } from "./codes.ts";
import { showConsent, showLogin } from "./dialogs.ts";
import { type Answerer, whoAnswers } from "./fresh-login.ts";
import { sendBack } from "./hand-over.ts";
import type { AuthDeps } from "./session/deps.ts";
import { afterLogin } from "./session/log-in-paths.ts";
import { findRequest, requestIsOver, spendRequest, type WaitingRequest } from "./waiting-requests.ts";

interface Decision {
  waiting: WaitingRequest;
  answerer: Answerer;
}

/** The user who may answer the request that waits; others are asked to log in for it first. */
export const answerers: Guard<AuthDeps, Decision> = (deps, handler) => async (call, reply) => {
  const isGet = call.method === "GET";
  const waiting = await theRequest(deps, textField(isGet ? call.query : call.body, "request"));
  const { answerer, handle } = await whoAnswers(deps, call, waiting);
  if (answerer) return handler(deps, call, reply, { waiting, answerer });
  return isGet
    ? showLogin(reply, { request: waiting.id, waiting, handle })
    : reply.redirect(afterLogin(waiting.id), 303);
};

/** GET /oauth2/consent: asks the user about the request; answers it itself for a user who has decided before. */
export async function askConsent(
  deps: AuthDeps,
  _call: FastifyRequest,
  reply: FastifyReply,
  { waiting, answerer }: Decision,
) {
  if (!answerer.hasConsented || waiting.alwaysPrompt) return showConsent(reply, waiting, answerer);
  await spend(deps, waiting);
  return sendBack(reply, await allow(deps, answerer, waiting), waiting.display);
}

/** POST /oauth2/consent: the user's decision. */
export async function decide(
  deps: AuthDeps,
  call: FastifyRequest,
  reply: FastifyReply,
  { waiting, answerer }: Decision,
) {
  refuseAlteredFields(call.body, waiting);
  const decision = textField(call.body, "decision");
  if (decision !== "allow" && decision !== "deny")
    throw new KnownError(400, "param_error", "Choose Allow or Deny.", { title: "No decision was sent" });
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

/** The form carries none of these. Whoever adds them wants the decision to count for something else (attacks B25). */
function refuseAlteredFields(body: unknown, waiting: WaitingRequest): void {
  const stored = {
    client_id: waiting.clientId,
    redirect_uri: waiting.redirectUri,
    response_type: waiting.responseType,
    state: waiting.state,
  };
  const sent = body as Record<string, unknown>;
  if (Object.entries(stored).some(([name, value]) => name in sent && sent[name] !== value))
    throw new KnownError(400, "invalid_request", "This form does not fit the request it answers. Start again.");
}

/** Records the consent and makes the address that takes code or token to the application. */
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
