import type { FastifyReply, FastifyRequest } from "fastify";
import type { Web } from "../base/deps.ts";

/** How many log-ins one browser may have under way; older ones are forgotten. */
const KEPT_PER_BROWSER = 10;

/**
 * Ties an attempt to this browser by a cookie of its own. The values must sort by the time they were made at: of too
 * many the oldest go, so that the header stays small (attacks A12).
 *
 * @param alone forget all the others
 */
export function keepBinding(
  web: Web,
  reply: FastifyReply,
  attempt: { stateHash: Uint8Array; binding: string; seconds: number; alone: boolean },
): void {
  const mine = Object.entries(bindingsOf(web, reply.request));
  mine.sort(([, one], [, other]) => (one < other ? 1 : -1));
  for (const [name] of mine.slice(attempt.alone ? 0 : KEPT_PER_BROWSER - 1))
    reply.clearCookie(name, cookieAttributes(web));
  const name = cookieName(web, attempt.stateHash);
  reply.setCookie(name, attempt.binding, { ...cookieAttributes(web), maxAge: attempt.seconds });
}

/** The value of the cookie of an attempt; empty where this browser has none. */
export const bindingOf = (web: Web, request: FastifyRequest, stateHash: Uint8Array): string =>
  request.cookies[cookieName(web, stateHash)] ?? "";

/** The values of the cookies of all attempts, by their names. */
export function bindingsOf(web: Web, request: FastifyRequest): Record<string, string> {
  const prefix = cookiePrefix(web);
  const mine = Object.entries(request.cookies).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(mine.map(([name, value = ""]) => [name, value]));
}

export function forgetBinding(web: Web, reply: FastifyReply, stateHash: Uint8Array): void {
  reply.clearCookie(cookieName(web, stateHash), cookieAttributes(web));
}

/** `__Host-` keeps a neighbouring subdomain from planting an attempt of its own. */
const cookiePrefix = (web: Web) => `${isSecure(web) ? "__Host-" : ""}samespot_login_`;
const cookieName = (web: Web, stateHash: Uint8Array) =>
  cookiePrefix(web) + Buffer.from(stateHash).toString("hex").slice(0, 8);
const isSecure = (web: Web) => web.config.web.url.startsWith("https:");
/** Of every cookie of the app's own. */
export const cookieAttributes = (web: Web) =>
  ({ path: "/", httpOnly: true, sameSite: "lax", secure: isSecure(web) }) as const;
