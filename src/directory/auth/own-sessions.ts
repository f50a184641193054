import type { FastifyReply, FastifyRequest } from "fastify";
import { textField } from "../../http/forms.ts";
import { goTo } from "../../http/notice.ts";
import type { Notice } from "../../http/parts.ts";
import { endSession, endSessionsOf } from "../../http/sessions/session-store.ts";
import { signIn, signOut } from "../../http/sessions/sessions.ts";
import type { DirectoryDeps } from "../deps.ts";
import { checkPassword } from "../users.ts";
import { currentPasswordCheck } from "./current-password.ts";
import type { AuthDeps } from "./session/deps.ts";
import type { Own } from "./session/guards.ts";
import { signedInUser } from "./session/signed-in.ts";
import { showSettings } from "./settings.ts";

/**
 * POST /settings/sessions: ends one other, or all others. That takes the password, so that a stolen session cannot be used
 * for it (ASVS 7.5.2); this session then goes on under a new id.
 */
export async function endSessions(deps: AuthDeps, call: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const chosen = textField(call.body, "session");
  const password = textField(call.body, "currentPassword");
  const isChoice = chosen === ALL_OTHERS || /^[0-9a-f]{64}$/.test(chosen);
  const errors = {
    ...(isChoice ? {} : { session: "Choose what to end" }),
    ...(password ? {} : { sessionPassword: "Enter the password you use now" }),
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

/** POST /settings/sessions/end: all at once. Needs no password: the person who does it is out too. */
export async function endAllSessions(deps: AuthDeps, call: FastifyRequest, reply: FastifyReply) {
  const user = await signedInUser(deps, call);
  if (user) await endSessionsOf(deps.pool, "directory", user.id);
  await signOut(call);
  return reply.redirect("/", 303);
}

const ALL_OTHERS = "others";

/** @param chosen the public id of a session, or all others: then this one too, in whose place comes the new one */
async function endChosen({ pool }: Pick<DirectoryDeps, "pool">, userId: string, chosen: string): Promise<Notice> {
  if (chosen !== ALL_OTHERS)
    return (await endSession(pool, "directory", userId, chosen))
      ? { kind: "success", message: "The session is ended." }
      : { kind: "info", message: "This session was over already." };
  await endSessionsOf(pool, "directory", userId);
  return { kind: "success", message: "All your other sessions are ended." };
}
