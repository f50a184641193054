import type { FastifyReply } from "fastify";
import { contentSecurityPolicy } from "../../http/headers.ts";
import { csrfToken } from "../../http/pages/forms.ts";
import { sendDialog } from "../../http/pages/views.ts";
import { t } from "../../language/translate.ts";
import { originOf } from "./answer.ts";
import { grantsInWords, type Refusal } from "./authorization-request.ts";
import type { SignedInUser } from "./base/session.ts";
import { requestIsOver, type WaitingRequest } from "./waiting-requests.ts";

/** `request` is the id in the call, or empty; `waiting` is its pending request; `next` is the page to continue to. */
export function showLogin(
  reply: FastifyReply,
  form: {
    request: string;
    next?: string;
    waiting?: WaitingRequest | undefined;
    handle?: string | undefined;
    errors?: { form?: string; handle?: string; password?: string };
  },
) {
  const { request, next = "", waiting, handle = "", errors = {} } = form;
  const title = waiting?.freshLogin ? t("Confirm it’s you") : t("Log in");
  const data = { title, ...aboutRequest(reply, request, waiting), next, handle, errors };
  return sendDialog(reply, "directory/login", { ...data, csrf: csrfToken(reply) });
}

export function showSignUp(
  reply: FastifyReply,
  form: {
    request: string;
    waiting?: WaitingRequest | undefined;
    values?: Record<string, string>;
    errors?: Record<string, string>;
  },
) {
  const { request, waiting, values = {}, errors = {} } = form;
  const about = aboutRequest(reply, request, waiting);
  const data = { title: t("Create an account"), ...about, values, errors, csrf: csrfToken(reply) };
  return sendDialog(reply, "directory/sign-up", data);
}

function aboutRequest(reply: FastifyReply, request: string, waiting: WaitingRequest | undefined) {
  if (waiting) leadTo(reply, waiting);
  const over = request && !waiting ? requestIsOver() : undefined;
  return { request, waiting, over, display: waiting?.display };
}

export function showConsent(reply: FastifyReply, waiting: WaitingRequest, user: SignedInUser, problem?: string) {
  leadTo(reply, waiting);
  const data = {
    title: t("Allow {application}?", { application: waiting.application }),
    waiting,
    user,
    grants: grantsInWords({ isOperator: user.isOperator && waiting.isOperators }),
    problem,
    csrf: csrfToken(reply),
  };
  const { display, redirectUri } = waiting;
  return sendDialog(reply, "directory/consent", { ...data, display, origin: originOf(redirectUri) });
}

export function showRefusal(
  reply: FastifyReply,
  { application, refusal, address }: { application: string; refusal: Refusal; address: string },
) {
  const { error, description, display, recipient } = refusal;
  const data = { title: t("This request cannot be answered"), application, error, description, address, display };
  return sendDialog(reply, "directory/refusal", { ...data, origin: originOf(recipient.redirectUri) });
}

/** Chrome checks every redirect of a form against form-action (attacks B42). */
function leadTo(reply: FastifyReply, waiting: WaitingRequest): void {
  reply.header("content-security-policy", contentSecurityPolicy({ formAction: [originOf(waiting.redirectUri)] }));
}
