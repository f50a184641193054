import type { FastifyReply, FastifyRequest } from "fastify";
import { goTo } from "../../http/notice.ts";
import type { Notice } from "../../http/parts.ts";
import { endSession, endSessionsOf, publicIdOf, type SessionLimits } from "../../http/sessions/session-store.ts";
import { notFound } from "../../shared/errors.ts";
import { isConfirmed } from "../base/admins.ts";
import type { Web } from "../base/deps.ts";
import type { Member } from "../base/members.ts";
import { logOut } from "../login/logged-out.ts";

const DAY = 24 * 60 * 60;

/** Two weeks without a request, or ninety days in all. */
export const SESSION_LIMITS: SessionLimits = { idleSeconds: 14 * DAY, absoluteSeconds: 90 * DAY };

/** Where somebody confirms that it is them, to end single sessions. */
export const CONFIRM_HREF = "/login?confirm=1&next=%2Fsettings";

/**
 * `POST /settings/sessions/end`. All at once needs nothing: the person who does it is out too. To throw others out and stay
 * takes the password, given a short while ago, so that a stolen session cannot be used for it (ASVS 7.5.2).
 */
export async function endAllSessions(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  await endSessionsOf(web.pool, "app", member.id);
  return logOut(web, request, reply);
}

/** `POST /settings/sessions/others` */
export async function endOtherSessions({ pool }: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  if (!isConfirmed(request)) return reply.redirect(CONFIRM_HREF, 303);
  await endSessionsOf(pool, "app", member.id, request.session.sessionId);
  return goTo(reply, "/settings", ended("All your other sessions are ended."));
}

/** `POST /settings/sessions/:id` */
export async function endOneSession(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  const { id } = request.params as { id: string };
  if (!/^[0-9a-f]{64}$/.test(id)) throw notFound();
  if (id === publicIdOf(request.session.sessionId)) return logOut(web, request, reply);
  if (!isConfirmed(request)) return reply.redirect(CONFIRM_HREF, 303);
  const wasLive = await endSession(web.pool, "app", member.id, id);
  return goTo(reply, "/settings", wasLive ? ended("The session is ended.") : OVER);
}

const ended = (what: string): Notice => ({
  kind: "success",
  message: `${what} Who is still logged in at the directory there can come back without a password: end that session too, in your settings at the directory.`,
});
const OVER: Notice = { kind: "info", message: "This session was over already." };
