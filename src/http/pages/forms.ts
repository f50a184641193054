import Tokens from "@fastify/csrf";
import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyReply, FastifyRequest, Session } from "fastify";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import { parseFields } from "../parameters.ts";
import { uploadToken } from "../uploads.ts";
import type { Notice } from "./parts.ts";

declare module "fastify" {
  interface Session {
    formSecret?: string;
  }
}

interface FormOptions {
  /** Responds, instead of a 403 page, to a form whose token is not the session's. Must not carry out the form. */
  onForged?: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

const tokens = Tokens();

/**
 * Parses urlencoded forms of a scope with sessions. A request that is not a GET must carry the session's `_csrf` and, if the
 * browser sends an origin, ours. In an upload `_csrf` comes first, and nothing after it is read before the check.
 */
export async function registerForms(
  scope: FastifyInstance,
  publicUrl: string,
  { onForged }: FormOptions = {},
): Promise<void> {
  scope.removeAllContentTypeParsers(); // what no form of a page sends, such as JSON, is a 415
  await scope.register(formbody, { parser: parseFields });
  scope.addHook("preHandler", async (request, reply) => {
    if (request.method === "GET" || request.method === "HEAD") return undefined;
    if (!isSameOrigin(request, publicUrl)) throw forgedForm();
    const secret = request.session.formSecret;
    const token = (await uploadToken(request, reply)) ?? textField(request.body, "_csrf");
    if (secret !== undefined && tokens.verify(secret, token)) return undefined;
    if (!onForged) throw forgedForm();
    return onForged(request, reply);
  });
}

/** Returns the value of the hidden field `_csrf`. Starts a session if there is none. */
export function csrfToken({ request: { session } }: FastifyReply): string {
  session.formSecret ??= tokens.secretSync();
  return formToken(session.formSecret);
}

/** Like csrfToken(), for a session that was only read. */
export const formToken = (secret: string): string => tokens.create(secret);

/** Returns "" if the field is missing or repeated. */
export function textField(body: unknown, name: string): string {
  const value = typeof body === "object" && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : "";
}

function isSameOrigin(request: FastifyRequest, publicUrl: string): boolean {
  const { origin, "sec-fetch-site": site } = request.headers;
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return origin === undefined || origin === publicUrl;
}

export function forgedForm(): KnownError {
  const message = t(
    "You have logged in or out since this page was opened. Open the page again and send the form from there.",
  );
  return new KnownError(403, "not_authorized", message, { title: t("This page expired") });
}

/** Removes and returns a value that the session keeps for its next page. HEAD leaves it, because nobody sees that page. */
function takeOnce<Name extends keyof Session>(
  { session, method }: FastifyRequest,
  name: Name,
): Session[Name] | undefined {
  const kept = session[name];
  if (kept !== undefined && method !== "HEAD") delete session[name];
  return kept;
}

declare module "fastify" {
  interface Session {
    /** The result of an action, shown once on the next page. */
    notice?: Notice | undefined;
  }
}

export function goTo(reply: FastifyReply, href: string, notice?: Notice): FastifyReply {
  if (notice) reply.request.session.notice = notice;
  return reply.redirect(href, 303);
}

export const takeNotice = (request: FastifyRequest): Notice | undefined => takeOnce(request, "notice");
