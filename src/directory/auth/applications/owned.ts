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
    if (application?.ownerId !== user.id) throw notFound(t("You have no application at this address."));
    return handler(deps, request, reply, { user, application });
  });

export interface ShownTime {
  iso: string;
  text: string;
}

export const shownTime = (at: Date, now: Date): ShownTime => ({ iso: at.toISOString(), text: relativeTime(at, now) });

/** Formats a time as "just now", "3 min ago", "5 h ago", "12 days ago" or "in 23 h". Uses days from two days on. */
function relativeTime(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  const unit = UNITS.find(({ least }) => Math.abs(seconds) >= least);
  if (!unit) return seconds > 0 ? t("in less than a minute") : t("just now");
  const amount = unit.amount(Math.round(Math.abs(seconds) / unit.length));
  return seconds > 0 ? t("in {amount}", { amount }) : t("{amount} ago", { amount });
}

/** Lengths in seconds. */
const UNITS = [
  { amount: (n: number) => t("{n} days", { n }), length: 86_400, least: 2 * 86_400 },
  { amount: (n: number) => t("{n} h", { n }), length: 3600, least: 3600 },
  { amount: (n: number) => t("{n} min", { n }), length: 60, least: 60 },
];
