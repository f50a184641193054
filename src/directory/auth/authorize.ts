import type { FastifyReply, FastifyRequest } from "fastify";
import type { DirectoryDeps } from "../deps.ts";
import { answerAddress } from "./answer.ts";
import { checkAuthorizationRequest, type Refusal } from "./authorization-request.ts";
import { allow } from "./consent.ts";
import { showConsent, showLogin, showRefusal } from "./dialogs.ts";
import { sendBack } from "./hand-over.ts";
import { signedInUser } from "./session/signed-in.ts";
import { keepRequest } from "./waiting-requests.ts";

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
