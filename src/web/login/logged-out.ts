import type { FastifyReply, FastifyRequest } from "fastify";
import { signOut } from "../../http/sessions/sessions.ts";
import type { Web } from "../base/deps.ts";
import { cookieAttributes } from "./attempt-cookies.ts";

const MAX_AGE_SECONDS = 14 * 24 * 60 * 60;

/**
 * Ends the session, and remembers in this browser that somebody logged out: the next log-in then asks for the password. The
 * directory has a session of its own, which would let the next person in without a word, and "back" would do that already.
 */
export async function logOut(web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  await signOut(request);
  reply.setCookie(cookieName(web), "1", { ...cookieAttributes(web), maxAge: MAX_AGE_SECONDS });
  return reply.redirect("/?loggedout=1", 303);
}

export const hasLoggedOut = (web: Web, { cookies }: FastifyRequest): boolean => cookies[cookieName(web)] !== undefined;

/** Somebody is logged in again. */
export function forgetLogout(web: Web, reply: FastifyReply): void {
  if (hasLoggedOut(web, reply.request)) reply.clearCookie(cookieName(web), cookieAttributes(web));
}

const cookieName = (web: Web) => `${cookieAttributes(web).secure ? "__Host-" : ""}samespot_out`;
