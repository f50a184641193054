import type { FastifyInstance } from "fastify";
import { adminsOnly } from "../base/admins.ts";
import type { Web } from "../base/deps.ts";
import { registerSecrets } from "../client-secret/pages.ts";
import { registerPeople } from "./people.ts";
import { registerStatus } from "./status.ts";

/** `/admin`: what only admins may see and do. */
export function registerAdmin(app: FastifyInstance, web: Web): void {
  app.get(
    "/admin",
    adminsOnly(web, (_request, reply) => reply.redirect("/admin/status", 303)),
  );
  registerStatus(app, web);
  registerSecrets(app, web);
  registerPeople(app, web);
}
