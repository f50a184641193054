import type { FastifyReply, FastifyRequest } from "fastify";
import { signOut } from "../../http/pages/sessions.ts";
import type { Web } from "../base/deps.ts";
import { cookieAttributes } from "./attempts.ts";

const MAX_AGE_SECONDS = 14 * 24 * 60 * 60;

/**
 * Ends the session, and remembers in this browser that somebody logged out: the next log-in asks for the password.
 * Otherwise the directory's own session would let the next person in without asking.
 */
export async function logOut(web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  await signOut(request);
  reply.setCookie(cookieName(web), "1", { ...cookieAttributes(web), maxAge: MAX_AGE_SECONDS });
  return reply.redirect("/?loggedout=1", 303);
}

export const hasLoggedOut = (web: Web, { cookies }: FastifyRequest): boolean => cookies[cookieName(web)] !== undefined;

export function forgetLogout(web: Web, reply: FastifyReply): void {
  if (hasLoggedOut(web, reply.request)) reply.clearCookie(cookieName(web), cookieAttributes(web));
}

const cookieName = (web: Web) => `${cookieAttributes(web).secure ? "__Host-" : ""}samespot_out`;
