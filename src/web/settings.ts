import type { FastifyInstance } from "fastify";
import { endSessionsOf } from "../http/session-store.ts";
import { signOut } from "../http/sessions.ts";
import { disconnect, openToken } from "./connections.ts";
import type { Web } from "./deps.ts";
import { membersOnly } from "./members.ts";
import { sendPage } from "./page.ts";

/** `/settings`: who is logged in, the connection to the directory, and the ways out. */
export function registerSettings(app: FastifyInstance, web: Web): void {
  const show = membersOnly(web, (_request, reply, member) =>
    sendPage(reply, member, "settings/index", {
      title: "Settings",
      member: { name: member.name, handle: member.handle },
      connected: openToken(web.vault, member.connection) !== undefined,
      directory: new URL(web.config.auth.url).host,
      directorySettings: `${web.config.auth.url}/settings`,
    }),
  );
  app.get("/settings", show);

  const forgetToken = membersOnly(web, async (_request, reply, member) => {
    await disconnect(web, member.id);
    return reply.redirect("/settings", 303);
  });
  app.post("/settings/disconnect", forgetToken);

  const endSessions = membersOnly(web, async (request, reply, member) => {
    await endSessionsOf(web.pool, "app", member.id);
    await signOut(request);
    return reply.redirect("/?loggedout=1", 303);
  });
  app.post("/settings/sessions/end", endSessions);
}
