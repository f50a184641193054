import type { FastifyReply, FastifyRequest } from "fastify";
import { textField } from "../../../http/pages/forms.ts";
import { goTo } from "../../../http/pages/notice.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { endSession, endSessionsOf } from "../../../http/sessions/session-store.ts";
import { signIn, signOut } from "../../../http/sessions/sessions.ts";
import { t } from "../../../language/translate.ts";
import type { DirectoryDeps } from "../../deps.ts";
import { checkPassword } from "../../users.ts";
import type { AuthDeps } from "../session/deps.ts";
import type { Own } from "../session/guards.ts";
import { signedInUser } from "../session/signed-in.ts";
import { currentPasswordCheck } from "./current-password.ts";
import { showSettings } from "./settings.ts";

/** Requires the password, so that a stolen session cannot end others (ASVS 7.5.2). */
export async function endSessions(deps: AuthDeps, call: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const chosen = textField(call.body, "session");
  const password = textField(call.body, "currentPassword");
  const isChoice = chosen === ALL_OTHERS || /^[0-9a-f]{64}$/.test(chosen);
  const errors = {
    ...(isChoice ? {} : { session: t("Choose which sessions to end") }),
    ...(password ? {} : { sessionPassword: t("Enter your current password") }),
  };
  if (!isChoice || !password) return showSettings(deps, reply.code(400), user, { errors, chosen });

  const isRight = async () => (await checkPassword(deps, user.handle, password)) !== undefined;
  const refusal = await currentPasswordCheck(deps)(call, user, isRight);
  if (refusal) {
    const errors = { sessionPassword: refusal.message };
    return showSettings(deps, reply.code(refusal.status).headers(refusal.headers), user, { errors, chosen });
  }
  const outcome = await endChosen(deps, user.id, chosen);
  await signIn(reply, user.id);
  return goTo(reply, "/settings", outcome);
}

/** Needs no password, because it also logs the caller out. */
export async function endAllSessions(deps: AuthDeps, call: FastifyRequest, reply: FastifyReply) {
  const user = await signedInUser(deps, call);
  if (user) await endSessionsOf(deps.pool, "directory", user.id);
  await signOut(call);
  return reply.redirect("/", 303);
}

const ALL_OTHERS = "others";

/** `chosen` is the public id of a session, or all others, which includes the current one. */
async function endChosen({ pool }: Pick<DirectoryDeps, "pool">, userId: string, chosen: string): Promise<Notice> {
  if (chosen !== ALL_OTHERS)
    return (await endSession(pool, "directory", userId, chosen))
      ? { kind: "success", message: t("The session has been ended.") }
      : { kind: "info", message: t("This session had already ended.") };
  await endSessionsOf(pool, "directory", userId);
  return { kind: "success", message: t("All your other sessions have been ended.") };
}
