import type { FastifyReply, FastifyRequest } from "fastify";
import { csrfToken, textField } from "../../../http/pages/forms.ts";
import { keepLanguage, languageChoices } from "../../../http/pages/languages.ts";
import { goTo, takeNotice } from "../../../http/pages/notice.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { sendView } from "../../../http/pages/views.ts";
import { ownSessions } from "../../../http/sessions/own-sessions.ts";
import { formatDate } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";
import type { DirectoryDeps } from "../../deps.ts";
import { disconnect } from "../../tokens.ts";
import type { AuthDeps } from "../session/deps.ts";
import type { Own } from "../session/guards.ts";
import { SESSION_LIMITS, type SignedInUser } from "../session/signed-in.ts";

export const settings = (deps: AuthDeps, _request: FastifyRequest, reply: FastifyReply, { user }: Own) =>
  showSettings(deps, reply, user);

export function chooseLanguage({ config }: AuthDeps, request: FastifyRequest, reply: FastifyReply) {
  keepLanguage(request, reply, { offered: config.languages, secure: config.auth.url.startsWith("https:") });
  return goTo(reply, "/settings");
}

export async function disconnectApplication(
  deps: AuthDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: Own,
) {
  const clientId = textField(request.body, "client_id").replaceAll("\0", "");
  const wasConnected = await disconnect(deps, { userId: user.id, clientId });
  return goTo(reply, "/settings", wasConnected ? disconnected() : notConnected());
}

const disconnected = (): Notice => ({
  kind: "success",
  message: t("Disconnected. The application's access token no longer works."),
});
const notConnected = (): Notice => ({ kind: "info", message: t("This application is not connected.") });

export interface Problem {
  /** By field id. */
  errors: { currentPassword?: string; newPassword?: string; session?: string; sessionPassword?: string };
  chosen?: string | undefined;
}

export async function showSettings(
  deps: Pick<AuthDeps, "prisma" | "pool" | "config">,
  reply: FastifyReply,
  user: SignedInUser,
  { errors, chosen }: Problem = { errors: {} },
): Promise<FastifyReply> {
  const owned = { pool: deps.pool, table: "directory", owner: user.id, limits: SESSION_LIMITS } as const;
  return sendView(reply, "directory/settings", {
    title: t("Settings"),
    user,
    connections: await connectionsOf(deps, user.id),
    sessions: await ownSessions(reply.request, owned),
    languages: languageChoices(deps.config.languages),
    errors,
    chosen,
    notice: takeNotice(reply.request),
    csrf: csrfToken(reply),
    path: "/settings",
  });
}

async function connectionsOf({ prisma }: Pick<DirectoryDeps, "prisma">, userId: string) {
  const connections = await prisma.authorization.findMany({
    where: { userId },
    orderBy: { createdAt: "desc" },
    select: {
      clientId: true,
      createdAt: true,
      application: { select: { name: true, access: true, owner: { select: { handle: true } } } },
    },
  });
  return connections.map((each) => ({ ...each, since: formatDate(each.createdAt, "long") }));
}
export type ConnectedApplication = Awaited<ReturnType<typeof connectionsOf>>[number];
