import type { FastifyInstance } from "fastify";
import { textField } from "../../http/forms.ts";
import { KnownError } from "../../shared/errors.ts";
import type { DirectoryDeps } from "../deps.ts";
import { consent, tokenOf } from "../tokens.ts";
import { answerAddress } from "./answer.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { issueCode } from "./codes.ts";
import { showConsent, showLogin } from "./dialogs.ts";
import { type Answerer, whoAnswers } from "./fresh-login.ts";
import { sendBack } from "./hand-over.ts";
import { afterLogin } from "./session/log-in-paths.ts";
import { findRequest, requestIsOver, spendRequest, type WaitingRequest } from "./waiting-requests.ts";

/**
 * GET and POST /oauth2/consent: the user's decision about a request that waits. The GET answers for who has decided before,
 * so that HEAD is none.
 */
export function registerConsent(app: FastifyInstance, deps: DirectoryDeps): void {
  app.get("/oauth2/consent", { exposeHeadRoute: false }, async (call, reply) => {
    const waiting = await theRequest(deps, textField(call.query, "request"));
    const { answerer, handle } = await whoAnswers(deps, call, waiting);
    if (!answerer) return showLogin(reply, { request: waiting.id, waiting, handle });
    if (!answerer.hasConsented || waiting.alwaysPrompt) return showConsent(reply, waiting, answerer);
    await spend(deps, waiting);
    return sendBack(reply, await allow(deps, answerer, waiting), waiting.display);
  });

  app.post("/oauth2/consent", async (call, reply) => {
    const waiting = await theRequest(deps, textField(call.body, "request"));
    refuseAlteredFields(call.body, waiting);
    const decision = textField(call.body, "decision");
    if (decision !== "allow" && decision !== "deny")
      throw new KnownError(400, "param_error", "Choose Allow or Deny.", { title: "No decision was sent" });
    const { answerer } = await whoAnswers(deps, call, waiting);
    if (!answerer) return reply.redirect(afterLogin(waiting.id), 303);
    await spend(deps, waiting);
    const isAllowed = decision === "allow";
    const denied = { error: "access_denied", error_description: "the user did not allow it" };
    const address = isAllowed ? await allow(deps, answerer, waiting) : answerAddress(waiting, denied);
    return sendBack(reply, address, waiting.display);
  });
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
