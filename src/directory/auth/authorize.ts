import type { FastifyReply, FastifyRequest } from "fastify";
import { textField } from "../../http/pages/forms.ts";
import type { Guard } from "../../http/routes.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import type { DirectoryDeps } from "../deps.ts";
import { consent, tokenOf } from "../tokens.ts";
import { answerAddress } from "./answer.ts";
import { type AuthorizationRequest, checkAuthorizationRequest, type Refusal } from "./authorization-request.ts";
import { type AuthDeps, afterLogin, signedInUser } from "./base/session.ts";
import { issueCode } from "./client/token-endpoint.ts";
import { showConsent, showLogin, showRefusal } from "./dialogs.ts";
import { type Answerer, whoAnswers } from "./login.ts";
import {
  findRequest,
  keepRequest,
  requestIsOver,
  sendBack,
  spendRequest,
  type WaitingRequest,
} from "./waiting-requests.ts";

/** Redirects without asking if the user has authorized the application (interface, "Authentication", rule 1). */
export const authenticate = (deps: DirectoryDeps, request: FastifyRequest, reply: FastifyReply) =>
  answer(deps, request, reply, { alwaysPrompt: false });

/** Always asks (rule 2). */
export const authorize = (deps: DirectoryDeps, request: FastifyRequest, reply: FastifyReply) =>
  answer(deps, request, reply, { alwaysPrompt: true });

async function answer(
  deps: DirectoryDeps,
  call: FastifyRequest,
  reply: FastifyReply,
  options: { alwaysPrompt: boolean },
) {
  const query = call.query as Record<string, unknown>;
  const { accept } = call.headers;
  const { application, request, refusal } = await checkAuthorizationRequest(deps, query, { ...options, accept });
  const user = await signedInUser(deps, call, application.clientId);
  if (refusal) return refuse(reply, refusal, application.name, user?.hasConsented ?? false);
  if (user?.hasConsented && !request.alwaysPrompt && !request.freshLogin)
    return sendBack(reply, await allow(deps, user, request), request.display);
  const waiting = await keepRequest(deps, request, application);
  if (user && !request.freshLogin) return showConsent(reply, waiting, user);
  return showLogin(reply, { request: waiting.id, waiting, handle: user?.handle });
}

/**
 * Redirects only if the user has authorized the application. Anyone can register one and spread links to it that
 * redirect, so otherwise a page asks first (RFC 9700 section 4.11.2).
 */
function refuse(reply: FastifyReply, refusal: Refusal, application: string, isKnown: boolean) {
  const { recipient, display, error, description } = refusal;
  const address = answerAddress(recipient, { error, error_description: description });
  return isKnown ? sendBack(reply, address, display) : showRefusal(reply.code(400), { application, refusal, address });
}

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

async function allow(
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
