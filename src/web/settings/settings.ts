import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { goTo, type Notice } from "../../http/notice.ts";
import { ownSessions } from "../../http/sessions/own-sessions.ts";
import { moment } from "../../http/times.ts";
import { isConfirmed } from "../base/admins.ts";
import { disconnect, openToken } from "../base/connections.ts";
import type { Web } from "../base/deps.ts";
import { type Member, membersOnly } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { CONFIRM_HREF, registerOwnSessions, SESSION_LIMITS } from "./own-sessions.ts";

/** `/settings`: who is logged in, the connection to the directory, the sessions, and the ways out. */
export function registerSettings(app: FastifyInstance, web: Web): void {
  const show = membersOnly(web, (request, reply, member) => showSettings(web, request, reply, member));
  app.get("/settings", show);

  const disconnectNow = membersOnly(web, async (request, reply, { connection }) => {
    if (!connection) return goTo(reply, "/settings");
    return goTo(reply, "/settings", (await disconnect(web, connection, request.log)) ? DISCONNECTED : FORGOTTEN);
  });
  app.post("/settings/disconnect", disconnectNow);

  registerOwnSessions(app, web);
}

const DISCONNECTED: Notice = {
  kind: "success",
  heading: "Disconnected.",
  message: "The directory has ended Samespot's access.",
};
const FORGOTTEN: Notice = {
  kind: "warning",
  heading: "Disconnected here.",
  message: "Samespot has forgotten its access. End it in your settings at the directory too: it was not ended there.",
};

async function showSettings(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  const owned = { pool: web.pool, table: "app", owner: member.id, limits: SESSION_LIMITS } as const;
  return sendPage(reply, member, "settings/index", {
    title: "Settings",
    member: { name: member.name, handle: member.handle },
    connected: openToken(web.vault, member.connection) !== undefined,
    endedAt: member.connection?.brokenAt && moment(member.connection.brokenAt.getTime() / 1000),
    directory: new URL(web.config.auth.url).host,
    directorySettings: `${web.config.auth.url}/settings`,
    sessions: await ownSessions(request, owned),
    confirmHref: isConfirmed(request) ? undefined : CONFIRM_HREF,
  });
}
