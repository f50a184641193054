import type { Config } from "../../../config/config.ts";
import type { Guard } from "../../../http/routes.ts";
import { notFound } from "../../../shared/errors.ts";
import { findApplication, type ShownApplication } from "../../applications.ts";
import type { DirectoryDeps } from "../../deps.ts";
import type { AuthDeps } from "../session/deps.ts";
import { type Own, users } from "../session/guards.ts";

/** What the pages about applications work with. */
export type ApplicationDeps = DirectoryDeps & { config: Pick<Config, "auth" | "api"> };

/** A user and their application `:id`. */
export interface Owned extends Own {
  application: ShownApplication;
}

/**
 * The owner of the application `:id`. To everybody else it does not exist, whatever the method (attacks B39): a handler gets
 * the application from here only.
 */
export const owners: Guard<AuthDeps, Owned> = (deps, handler) =>
  users(deps, async (_deps, request, reply, { user }) => {
    const { id } = request.params as { id: string };
    const application = await findApplication(deps, id);
    if (application?.ownerId !== user.id) throw notFound("You have no application at this address.");
    return handler(deps, request, reply, { user, application });
  });
