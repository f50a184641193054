import type { FastifyInstance } from "fastify";
import { csrfToken, textField } from "../../http/forms.ts";
import { type DirectoryDeps, disconnect } from "../tokens.ts";
import { signedInUser } from "./signed-in.ts";

declare module "fastify" {
  interface Session {
    /** Shown once, on the next page of the settings: whether the application to disconnect was connected. */
    wasConnected?: boolean | undefined;
  }
}

/** GET / (what this host is), GET /settings and POST /settings/disconnect: the applications a user has connected. */
export function registerSettings(app: FastifyInstance, deps: DirectoryDeps): void {
  app.get("/", async (request, reply) => {
    const user = await signedInUser(deps, request);
    const data = { title: "Welcome", user, csrf: user && csrfToken(reply), path: "/" };
    return reply.view("directory/home", data, { layout: "layout" });
  });

  app.get("/settings", async (request, reply) => {
    const user = await signedInUser(deps, request);
    if (!user) return reply.redirect("/login", 303);
    const { wasConnected } = request.session;
    const notice = wasConnected === undefined ? undefined : wasConnected ? DISCONNECTED : NOT_CONNECTED;
    request.session.wasConnected = undefined;
    const connections = await connectionsOf(deps, user.id);
    const data = {
      title: "Connected applications",
      user,
      connections,
      notice,
      csrf: csrfToken(reply),
      path: "/settings",
    };
    return reply.view("directory/settings", data, { layout: "layout" });
  });

  app.post("/settings/disconnect", async (request, reply) => {
    const user = await signedInUser(deps, request);
    if (!user) return reply.redirect("/login", 303);
    const clientId = textField(request.body, "client_id").replaceAll("\0", "");
    request.session.wasConnected = await disconnect(deps, { userId: user.id, clientId });
    return reply.redirect("/settings", 303);
  });
}

const DISCONNECTED = { kind: "success", message: "Disconnected. The application's access token works no longer." };
const NOT_CONNECTED = { kind: "info", message: "This application is not connected (any more)." };

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
