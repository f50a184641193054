import type { FastifyReply, FastifyRequest } from "fastify";
import { takeOnce } from "../../http/once.ts";
import { ownSessions } from "../../http/sessions/own-sessions.ts";
import { momentOf } from "../../http/times.ts";
import { isConfirmed } from "../base/admins.ts";
import { disconnect, openToken } from "../base/connections.ts";
import type { Web } from "../base/deps.ts";
import type { Member } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { CONFIRM_HREF, SESSION_LIMITS } from "./own-sessions.ts";

declare module "fastify" {
  interface Session {
    /** What was done in the settings: their next view says so, once. */
    done?: keyof typeof DONE | undefined;
  }
}

/** `POST /settings/disconnect` */
export async function disconnectNow(web: Web, request: FastifyRequest, reply: FastifyReply, { connection }: Member) {
  if (connection)
    request.session.done = (await disconnect(web, connection, request.log)) ? "disconnected" : "forgotten";
  return reply.redirect("/settings", 303);
}

const COMES_BACK =
  "Who is still logged in at the directory there can come back without a password: end that session too, in your settings at the directory.";

const DONE = {
  disconnected: { kind: "success", heading: "Disconnected.", message: "The directory has ended Samespot's access." },
  forgotten: {
    kind: "warning",
    heading: "Disconnected here.",
    message: "Samespot has forgotten its access. End it in your settings at the directory too: it was not ended there.",
  },
  sessionEnded: { kind: "success", message: `The session is ended. ${COMES_BACK}` },
  sessionOver: { kind: "info", message: "This session was over already." },
  othersEnded: { kind: "success", message: `All your other sessions are ended. ${COMES_BACK}` },
} as const;

/** `/settings`: who is logged in, the connection to the directory, the sessions, and the ways out. */
export async function showSettings(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  const owned = { pool: web.pool, table: "app", owner: member.id, limits: SESSION_LIMITS } as const;
  const done = takeOnce(request, "done");
  return sendPage(reply, member, "settings/index", {
    title: "Settings",
    notice: done && DONE[done],
    member: { name: member.name, handle: member.handle },
    connected: openToken(web.vault, member.connection) !== undefined,
    endedAt: member.connection?.brokenAt && momentOf(member.connection.brokenAt),
    directory: new URL(web.config.auth.url).host,
    directorySettings: `${web.config.auth.url}/settings`,
    sessions: await ownSessions(request, owned),
    confirmHref: isConfirmed(request) ? undefined : CONFIRM_HREF,
  });
}
