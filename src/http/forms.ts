import Tokens from "@fastify/csrf";
import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { KnownError } from "../shared/errors.ts";
import { parseFields } from "./parameters.ts";
import { uploadToken } from "./uploads.ts";

declare module "fastify" {
  interface Session {
    /** What the tokens of this session's forms are made with. */
    formSecret?: string;
  }
}

interface FormOptions {
  /**
   * Answers a form whose token is not, or no longer, its session's: somebody logged out or in in another tab, or the
   * browser keeps no cookies. Nothing has been done, and the answer must not do it either. Without it the page is a 403.
   */
  onForged?: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

const tokens = Tokens();

/**
 * Forms of pages: urlencoded bodies, and a check on everything that is not a GET. A form must carry the `_csrf` of its
 * session and, where the browser says where it comes from, come from our own origin. Where a scope takes uploads, their
 * `_csrf` must come first: nothing behind it is read before it has been checked.
 *
 * The scope must have sessions (`registerSessions`).
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

/** The value of the hidden field `_csrf`. Starts a session where there is none. */
export function csrfToken({ request: { session } }: FastifyReply): string {
  session.formSecret ??= tokens.secretSync();
  return formToken(session.formSecret);
}

/** The same for a session that was only read, by its `formSecret`. */
export const formToken = (secret: string): string => tokens.create(secret);

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

/** For what was not, or no longer, sent from a page of ours. */
export function forgedForm(): KnownError {
  const message = "You were logged out or in in the meantime. Open the page again and send the form from there.";
  return new KnownError(403, "not_authorized", message, { title: "Please send the form again" });
}
