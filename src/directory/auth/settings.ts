import type { FastifyReply, FastifyRequest } from "fastify";
import { csrfToken, textField } from "../../http/forms.ts";
import { goTo, takeNotice } from "../../http/notice.ts";
import type { Notice } from "../../http/parts.ts";
import { ownSessions } from "../../http/sessions/own-sessions.ts";
import { sendView } from "../../http/views.ts";
import type { DirectoryDeps } from "../deps.ts";
import { disconnect } from "../tokens.ts";
import type { AuthDeps } from "./session/deps.ts";
import type { Own } from "./session/guards.ts";
import { SESSION_LIMITS, type SignedInUser, signedInUser } from "./session/signed-in.ts";

/** GET /: what this host is. */
export async function showHome(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply) {
  const user = await signedInUser(deps, request);
  const data = { title: "Welcome", user, csrf: user && csrfToken(reply), path: "/" };
  return sendView(reply, "directory/home", data);
}

/** GET /settings: connected applications, password, sessions. */
export const settings = (deps: AuthDeps, _request: FastifyRequest, reply: FastifyReply, { user }: Own) =>
  showSettings(deps, reply, user);

/** POST /settings/disconnect */
export async function disconnectApplication(
  deps: AuthDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: Own,
) {
  const clientId = textField(request.body, "client_id").replaceAll("\0", "");
  const wasConnected = await disconnect(deps, { userId: user.id, clientId });
  return goTo(reply, "/settings", wasConnected ? DISCONNECTED : NOT_CONNECTED);
}

const DISCONNECTED: Notice = {
  kind: "success",
  message: "Disconnected. The application's access token works no longer.",
};
const NOT_CONNECTED: Notice = { kind: "info", message: "This application is not connected (any more)." };

/** What was wrong with one of the forms. */
export interface Problem {
  /** By the id of the field. */
  errors: { currentPassword?: string; newPassword?: string; session?: string; sessionPassword?: string };
  /** The session that was chosen, to be so again. */
  chosen?: string | undefined;
}

export async function showSettings(
  deps: Pick<DirectoryDeps, "prisma" | "pool">,
  reply: FastifyReply,
  user: SignedInUser,
  { errors, chosen }: Problem = { errors: {} },
): Promise<FastifyReply> {
  const owned = { pool: deps.pool, table: "directory", owner: user.id, limits: SESSION_LIMITS } as const;
  return sendView(reply, "directory/settings", {
    title: "Settings",
    user,
    connections: await connectionsOf(deps, user.id),
    sessions: await ownSessions(reply.request, owned),
    errors,
    chosen,
    notice: takeNotice(reply.request),
    csrf: csrfToken(reply),
    path: "/settings",
  });
}

/** Newest first. */
function connectionsOf({ prisma }: Pick<DirectoryDeps, "prisma">, userId: string) {
  return prisma.authorization.findMany({
    where: { userId },
    orderBy: { createdAt: "desc" },
    select: {
      clientId: true,
      createdAt: true,
      application: { select: { name: true, access: true, owner: { select: { handle: true } } } },
    },
  });
}
export type ConnectedApplication = Awaited<ReturnType<typeof connectionsOf>>[number];
