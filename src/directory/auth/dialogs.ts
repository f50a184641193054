import type { FastifyReply } from "fastify";
import { csrfToken } from "../../http/forms.ts";
import { contentSecurityPolicy } from "../../http/headers.ts";
import { sendDialog } from "../../http/views.ts";
import { originOf } from "./answer.ts";
import type { Refusal } from "./authorization-request.ts";
import type { SignedInUser } from "./session/signed-in.ts";
import { requestIsOver, type WaitingRequest } from "./waiting-requests.ts";

/**
 * The log-in form. What was typed stays, but for the password.
 *
 * @param form `request`: the id that came with the call, empty without; `waiting`: its request, unless that is over; `next`:
 * the page of ours to go on to
 */
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
  const title = waiting?.freshLogin ? "Confirm that it is you" : "Log in";
  const data = { title, ...aboutRequest(reply, request, waiting), next, handle, errors };
  return sendDialog(reply, "directory/login", { ...data, csrf: csrfToken(reply) });
}

/** The form for a new account, with the same `request` and `waiting`. What was typed stays, but for the password. */
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
  const data = { title: "Create an account", ...about, values, errors, csrf: csrfToken(reply) };
  return sendDialog(reply, "directory/sign-up", data);
}

/** What a page shows of the request it is to go on with. */
function aboutRequest(reply: FastifyReply, request: string, waiting: WaitingRequest | undefined) {
  if (waiting) leadTo(reply, waiting);
  const over = request && !waiting ? requestIsOver() : undefined;
  return { request, waiting, over, display: waiting?.display };
}

/** Asks the user to allow or deny what an application wants; `problem` says why once more. */
export function showConsent(reply: FastifyReply, waiting: WaitingRequest, user: SignedInUser, problem?: string) {
  leadTo(reply, waiting);
  const data = { title: `Allow ${waiting.application}?`, waiting, user, problem, csrf: csrfToken(reply) };
  const { display, redirectUri } = waiting;
  return sendDialog(reply, "directory/consent", { ...data, display, origin: originOf(redirectUri) });
}

/** A mistake of the application, shown instead of a redirect; the user may follow `address` to tell it. */
export function showRefusal(
  reply: FastifyReply,
  { application, refusal, address }: { application: string; refusal: Refusal; address: string },
) {
  const { error, description, display, recipient } = refusal;
  const data = { title: "This request cannot be answered", application, error, description, address, display };
  return sendDialog(reply, "directory/refusal", { ...data, origin: originOf(recipient.redirectUri) });
}

/** Lets the page's form end at the application: Chrome checks every hop of the redirect against form-action (attacks B42). */
function leadTo(reply: FastifyReply, waiting: WaitingRequest): void {
  reply.header("content-security-policy", contentSecurityPolicy({ formAction: [originOf(waiting.redirectUri)] }));
}
