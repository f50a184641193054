import type { FastifyReply, FastifyRequest } from "fastify";
import { goTo } from "../../http/pages/forms.ts";
import { keepLanguage, languageChoices } from "../../http/pages/languages.ts";
import type { Notice } from "../../http/pages/parts.ts";
import { ownSessions } from "../../http/pages/sessions.ts";
import { shownTime } from "../../http/pages/times.ts";
import { t } from "../../language/translate.ts";
import { disconnect, openToken } from "../base/connections.ts";
import type { Web } from "../base/deps.ts";
import { isConfirmed, type Member } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { CONFIRM_HREF, SESSION_LIMITS } from "./own-sessions.ts";

export async function disconnectNow(web: Web, request: FastifyRequest, reply: FastifyReply, { connection }: Member) {
  if (!connection) return goTo(reply, "/settings");
  return goTo(reply, "/settings", (await disconnect(web, connection, request.log)) ? disconnected() : forgotten());
}

export function chooseLanguage({ config }: Web, request: FastifyRequest, reply: FastifyReply) {
  keepLanguage(request, reply, { offered: config.languages, secure: config.web.url.startsWith("https:") });
  return goTo(reply, "/settings");
}

const disconnected = (): Notice => ({
  kind: "success",
  heading: t("Disconnected."),
  message: t("The directory has ended Samespot's access."),
});
const forgotten = (): Notice => ({
  kind: "warning",
  heading: t("Disconnected here."),
  message: t(
    "Samespot has deleted its access token, but the directory has not ended the access. Disconnect Samespot in your settings at the directory too.",
  ),
});

export async function showSettings(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  const owned = { pool: web.pool, table: "app", owner: member.id, limits: SESSION_LIMITS } as const;
  return sendPage(reply, member, "settings/index", {
    title: t("Settings"),
    member: { name: member.name, handle: member.handle },
    connected: openToken(web.vault, member.connection) !== undefined,
    endedAt: member.connection?.brokenAt && shownTime(member.connection.brokenAt),
    directory: new URL(web.config.auth.url).host,
    directorySettings: `${web.config.auth.url}/settings`,
    sessions: await ownSessions(request, owned),
    languages: languageChoices(web.config.languages),
    confirmHref: isConfirmed(request) ? undefined : CONFIRM_HREF,
  });
}
