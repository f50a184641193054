import type { FastifyInstance, FastifyReply } from "fastify";
import { csrfToken, textField } from "../../http/forms.ts";
import { endSessionsOf } from "../../http/session-store.ts";
import { signOut } from "../../http/sessions.ts";
import { type DirectoryDeps, disconnect } from "../tokens.ts";
import { type SignedInUser, signedInUser } from "./signed-in.ts";

declare module "fastify" {
  interface Session {
    /** What happened; shown once, on the next page of the settings. */
    settingsNotice?: keyof typeof NOTICES | undefined;
  }
}

/**
 * GET / (what this host is), GET /settings (connected applications, password, sessions), and what is done there but for
 * the password: POST /settings/disconnect and /settings/sessions/end.
 */
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
    request.session.settingsNotice = wasConnected ? "disconnected" : "notConnected";
    return reply.redirect("/settings", 303);
  });

  app.post("/settings/sessions/end", async (request, reply) => {
    const user = await signedInUser(deps, request);
    if (user) await endSessionsOf(deps.pool, "directory", user.id);
    await signOut(request);
    return reply.redirect("/", 303);
  });
}

const NOTICES = {
  disconnected: { kind: "success", message: "Disconnected. The application's access token works no longer." },
  notConnected: { kind: "info", message: "This application is not connected (any more)." },
  passwordChanged: { kind: "success", message: "Your password is changed. You are logged out everywhere else." },
} as const;

/** @param errors of the password form, by field */
export async function showSettings(
  deps: Pick<DirectoryDeps, "prisma">,
  reply: FastifyReply,
  user: SignedInUser,
  errors: { currentPassword?: string; newPassword?: string } = {},
): Promise<FastifyReply> {
  const { session, method } = reply.request;
  const { settingsNotice } = session;
  if (method !== "HEAD") session.settingsNotice = undefined;
  const data = {
    title: "Settings",
    user,
    connections: await connectionsOf(deps, user.id),
    errors,
    notice: settingsNotice && NOTICES[settingsNotice],
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
      application: { select: { name: true, owner: { select: { handle: true } } } },
    },
  });
}
