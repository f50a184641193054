import type { FastifyReply, FastifyRequest } from "fastify";
import { goTo } from "../../http/pages/forms.ts";
import type { Notice } from "../../http/pages/parts.ts";
import { endSession, endSessionsOf, publicIdOf, type SessionLimits } from "../../http/pages/sessions.ts";
import { t } from "../../language/translate.ts";
import { notFound } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { isConfirmed, type Member } from "../base/members.ts";
import { logOut } from "../login/logged-out.ts";

const DAY = 24 * 60 * 60;

export const SESSION_LIMITS: SessionLimits = { idleSeconds: 14 * DAY, absoluteSeconds: 90 * DAY };

/** Where a member confirms their password before ending single sessions. */
export const CONFIRM_HREF = "/login?confirm=1&next=%2Fsettings";

/**
 * `POST /settings/sessions/end`: needs no password, because it ends the caller's session too. Ending only other
 * sessions does, so that a stolen session cannot be used for it (ASVS 7.5.2).
 */
export async function endAllSessions(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  await endSessionsOf(web.pool, "app", member.id);
  return logOut(web, request, reply);
}

export async function endOtherSessions({ pool }: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  if (!isConfirmed(request)) return reply.redirect(CONFIRM_HREF, 303);
  await endSessionsOf(pool, "app", member.id, request.session.sessionId);
  return goTo(reply, "/settings", ended(t("All your other sessions have been ended.")));
}

export async function endOneSession(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  const { id } = request.params as { id: string };
  if (!/^[0-9a-f]{64}$/.test(id)) throw notFound();
  if (id === publicIdOf(request.session.sessionId)) return logOut(web, request, reply);
  if (!isConfirmed(request)) return reply.redirect(CONFIRM_HREF, 303);
  const wasLive = await endSession(web.pool, "app", member.id, id);
  return goTo(reply, "/settings", wasLive ? ended(t("The session has been ended.")) : over());
}

const ended = (what: string): Notice => ({
  kind: "success",
  message: `${what} ${t("A browser still logged in at the directory can log in here again without a password. End that session too, in your settings at the directory.")}`,
});
const over = (): Notice => ({ kind: "info", message: t("This session had already ended.") });
