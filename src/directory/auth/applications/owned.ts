import type { Config } from "../../../config/config.ts";
import type { Guard } from "../../../http/routes.ts";
import { t } from "../../../language/translate.ts";
import { notFound } from "../../../shared/errors.ts";
import { findApplication, type ShownApplication } from "../../applications/applications.ts";
import type { DirectoryDeps } from "../../deps.ts";
import { type AuthDeps, type Own, users } from "../base/session.ts";

export type ApplicationDeps = DirectoryDeps & { config: Pick<Config, "auth" | "api"> };

export interface Owned extends Own {
  application: ShownApplication;
}

/** Anyone but the owner gets 404, whatever the method (attacks B39). */
export const owners: Guard<AuthDeps, Owned> = (deps, handler) =>
  users(deps, async (_deps, request, reply, { user }) => {
    const { id } = request.params as { id: string };
    const application = await findApplication(deps, id);
    if (application?.ownerId !== user.id) throw notFound(t("We can’t find this application among yours."));
    return handler(deps, request, reply, { user, application });
  });
