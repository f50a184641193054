import type { FastifyInstance, FastifyReply } from "fastify";
import { csrfToken, textField } from "../../http/forms.ts";
import { goTo, type Notice, takeNotice } from "../../http/notice.ts";
import { ownSessions } from "../../http/sessions/own-sessions.ts";
import { type DirectoryDeps, disconnect } from "../tokens.ts";
import { SESSION_LIMITS, type SignedInUser, signedInUser } from "./signed-in.ts";

/** GET / (what this host is), GET /settings (connected applications, password, sessions), POST /settings/disconnect. */
export function registerSettings(app: FastifyInstance, deps: DirectoryDeps): void {
  app.get("/", async (request, reply) => {
    const user = await signedInUser(deps, request);
    const data = { title: "Welcome", user, csrf: user && csrfToken(reply), path: "/" };
    return reply.view("directory/home", data, { layout: "layout" });
  });

  app.get("/settings", async (request, reply) => {
    const user = await signedInUser(deps, request);
    return user ? showSettings(deps, reply, user) : reply.redirect("/login", 303);
  });

  app.post("/settings/disconnect", async (request, reply) => {
    const user = await signedInUser(deps, request);
    if (!user) return reply.redirect("/login", 303);
    const clientId = textField(request.body, "client_id").replaceAll("\0", "");
    const wasConnected = await disconnect(deps, { userId: user.id, clientId });
    return goTo(reply, "/settings", wasConnected ? DISCONNECTED : NOT_CONNECTED);
  });
}

const DISCONNECTED: Notice = {
  kind: "success",
  message: "Disconnected. The application's access token works no longer.",
};
const NOT_CONNECTED: Notice = { kind: "info", message: "This application is not connected (any more)." };

/** What was wrong with one of the forms. */
interface Problem {
  /** By the id of the field. */
  errors: { currentPassword?: string; newPassword?: string; session?: string; sessionPassword?: string };
  /** The session that was chosen, to be so again. */
  chosen?: string;
}

export async function showSettings(
  deps: Pick<DirectoryDeps, "prisma" | "pool">,
  reply: FastifyReply,
  user: SignedInUser,
  { errors, chosen }: Problem = { errors: {} },
): Promise<FastifyReply> {
  const owned = { pool: deps.pool, table: "directory", owner: user.id, limits: SESSION_LIMITS } as const;
  const data = {
    title: "Settings",
    user,
    connections: await connectionsOf(deps, user.id),
    sessions: await ownSessions(reply.request, owned),
    errors,
    chosen,
    notice: takeNotice(reply.request),
    csrf: csrfToken(reply),
    path: "/settings",
  };
  return reply.view("directory/settings", data, { layout: "layout" });
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
