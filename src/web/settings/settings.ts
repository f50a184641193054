import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { takeOnce } from "../../http/once.ts";
import { ownSessions } from "../../http/sessions/own-sessions.ts";
import { momentOf } from "../../http/times.ts";
import { isConfirmed } from "../base/admins.ts";
import { disconnect, openToken } from "../base/connections.ts";
import type { Web } from "../base/deps.ts";
import { type Member, membersOnly } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { CONFIRM_HREF, registerOwnSessions, SESSION_LIMITS } from "./own-sessions.ts";

declare module "fastify" {
  interface Session {
    /** What was done in the settings: their next view says so, once. */
    done?: keyof typeof DONE | undefined;
  }
}

/** `/settings`: who is logged in, the connection to the directory, the sessions, and the ways out. */
export function registerSettings(app: FastifyInstance, web: Web): void {
  const show = membersOnly(web, (request, reply, member) => showSettings(web, request, reply, member));
  app.get("/settings", show);

  const disconnectNow = membersOnly(web, async (request, reply, { connection }) => {
    if (connection)
      request.session.done = (await disconnect(web, connection, request.log)) ? "disconnected" : "forgotten";
    return reply.redirect("/settings", 303);
  });
  app.post("/settings/disconnect", disconnectNow);

  registerOwnSessions(app, web);
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

async function showSettings(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
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
