import type { FastifyReply, FastifyRequest } from "fastify";
import type { Web } from "../base/deps.ts";

/** Log-in attempts per browser; the oldest are forgotten. */
const KEPT_PER_BROWSER = 10;

/**
 * Binds an attempt to this browser with its own cookie. Values must sort by creation time: if there are too many, the
 * oldest are cleared to keep the header small (attacks A12).
 *
 * @param alone forget all others
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

export const bindingOf = (web: Web, request: FastifyRequest, stateHash: Uint8Array): string =>
  request.cookies[cookieName(web, stateHash)] ?? "";

export function bindingsOf(web: Web, request: FastifyRequest): Record<string, string> {
  const prefix = cookiePrefix(web);
  const mine = Object.entries(request.cookies).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(mine.map(([name, value = ""]) => [name, value]));
}

export function forgetBinding(web: Web, reply: FastifyReply, stateHash: Uint8Array): void {
  reply.clearCookie(cookieName(web, stateHash), cookieAttributes(web));
}

/** `__Host-` prevents a neighbouring subdomain from planting an attempt. */
const cookiePrefix = (web: Web) => `${isSecure(web) ? "__Host-" : ""}samespot_login_`;
const cookieName = (web: Web, stateHash: Uint8Array) =>
  cookiePrefix(web) + Buffer.from(stateHash).toString("hex").slice(0, 8);
const isSecure = (web: Web) => web.config.web.url.startsWith("https:");
export const cookieAttributes = (web: Web) =>
  ({ path: "/", httpOnly: true, sameSite: "lax", secure: isSecure(web) }) as const;
