import type { FastifyInstance } from "fastify";
import { goTo, type Notice } from "../../http/notice.ts";
import { endSession, endSessionsOf, publicIdOf, type SessionLimits } from "../../http/sessions/session-store.ts";
import { notFound } from "../../shared/errors.ts";
import { isConfirmed } from "../base/admins.ts";
import type { Web } from "../base/deps.ts";
import { membersOnly } from "../base/members.ts";
import { logOut } from "../login/logged-out.ts";

const DAY = 24 * 60 * 60;

/** Two weeks without a request, or ninety days in all. */
export const SESSION_LIMITS: SessionLimits = { idleSeconds: 14 * DAY, absoluteSeconds: 90 * DAY };

/** Where somebody confirms that it is them, to end single sessions. */
export const CONFIRM_HREF = "/login?confirm=1&next=%2Fsettings";

/**
 * The ways to end sessions. All at once needs nothing: whoever does it is out too. To throw others out and stay takes the
 * password, given a short while ago, so that a stolen session cannot be used for it (ASVS 7.5.2).
 *
 * POST /settings/sessions/end, /settings/sessions/others and /settings/sessions/:id
 */
export function registerOwnSessions(app: FastifyInstance, web: Web): void {
  const endAll = membersOnly(web, async (_request, reply, member) => {
    await endSessionsOf(web.pool, "app", member.id);
    return logOut(web, reply);
  });
  app.post("/settings/sessions/end", endAll);

  const endOthers = membersOnly(web, async (request, reply, member) => {
    if (!isConfirmed(request)) return reply.redirect(CONFIRM_HREF, 303);
    await endSessionsOf(web.pool, "app", member.id, request.session.sessionId);
    return goTo(reply, "/settings", ended("All your other sessions are ended."));
  });
  app.post("/settings/sessions/others", endOthers);

  const endOne = membersOnly(web, async (request, reply, member) => {
    const { id } = request.params as { id: string };
    if (!/^[0-9a-f]{64}$/.test(id)) throw notFound();
    if (id === publicIdOf(request.session.sessionId)) return logOut(web, reply);
    if (!isConfirmed(request)) return reply.redirect(CONFIRM_HREF, 303);
    const wasLive = await endSession(web.pool, "app", member.id, id);
    return goTo(reply, "/settings", wasLive ? ended("The session is ended.") : OVER);
  });
  app.post("/settings/sessions/:id", endOne);
}

const ended = (what: string): Notice => ({
  kind: "success",
  message: `${what} Who is still logged in at the directory there can come back without a password: end that session too, in your settings at the directory.`,
});
const OVER: Notice = { kind: "info", message: "This session was over already." };
