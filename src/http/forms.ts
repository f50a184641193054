import csrf from "@fastify/csrf-protection";
import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { KnownError } from "../errors.ts";
import { parseFields } from "./parameters.ts";

/**
 * Forms of pages: urlencoded bodies, and a check on everything that is not a GET. A form must carry the `_csrf` of its
 * session and, where the browser says where it comes from, come from our own origin.
 *
 * The scope must have sessions (`registerSessions`).
 */
export async function registerForms(scope: FastifyInstance, publicUrl: string): Promise<void> {
  await scope.register(formbody, { parser: parseFields });
  await scope.register(csrf, {
    sessionPlugin: "@fastify/session",
    getToken: (request) => textField(request.body, "_csrf"),
    logLevel: "debug",
  });
  scope.addHook("preHandler", (request, reply, done) => {
    if (request.method === "GET" || request.method === "HEAD") return done();
    if (!isSameOrigin(request, publicUrl)) return done(forgedForm());
    scope.csrfProtection(request, reply, (error?: unknown) => done(error ? forgedForm() : undefined));
  });
}

/** The value of the hidden field `_csrf`. Starts a session where there is none. */
export const csrfToken = (reply: FastifyReply): string => reply.generateCsrf();

/** A field of a form as text; empty where it is missing or given twice. */
export function textField(body: unknown, name: string): string {
  const value = typeof body === "object" && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : "";
}

function isSameOrigin(request: FastifyRequest, publicUrl: string): boolean {
  const { origin, "sec-fetch-site": site } = request.headers;
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return origin === undefined || origin === publicUrl;
}

function forgedForm(): KnownError {
  const message = "This form has expired or was not sent from our page. Go back, reload the page and send it again.";
  return new KnownError(403, "not_authorized", message, { title: "Please send the form again" });
}
