import type { FastifyInstance } from "fastify";
import { textField } from "../../http/forms.ts";
import { goTo, type Notice } from "../../http/notice.ts";
import { endSessionsOf } from "../../http/sessions/session-store.ts";
import { signIn } from "../../http/sessions/sessions.ts";
import type { DirectoryDeps } from "../tokens.ts";
import { changePassword, passwordProblem } from "../users.ts";
import { currentPasswordCheck } from "./current-password.ts";
import { fieldWords } from "./field-words.ts";
import { showSettings } from "./settings.ts";
import { signedInUser } from "./signed-in.ts";

/**
 * POST /settings/password: a new password for who knows the one in use. Every other session of theirs ends, and this one
 * goes on under a new id. Connected applications stay connected: their tokens are not the password's.
 */
export function registerPassword(app: FastifyInstance, deps: DirectoryDeps): void {
  const tryPassword = currentPasswordCheck(deps);

  app.post("/settings/password", { config: { cost: "password" } }, async (call, reply) => {
    const user = await signedInUser(deps, call);
    if (!user) return reply.redirect("/login", 303);
    const current = textField(call.body, "currentPassword");
    const next = textField(call.body, "newPassword");
    const person = await deps.prisma.user.findUniqueOrThrow({ where: { id: user.id } });
    const problem = passwordProblem(next, person);
    const errors = {
      ...(current ? {} : { currentPassword: "Enter the password you use now" }),
      ...(problem ? { newPassword: fieldWords("password", problem) } : {}),
    };
    if (!current || problem) return showSettings(deps, reply.code(400), user, { errors });

    const refusal = await tryPassword(call, user, () => changePassword(deps, user.id, { current, next }));
    if (refusal) {
      const errors = { currentPassword: refusal.message };
      return showSettings(deps, reply.code(refusal.status).headers(refusal.headers), user, { errors });
    }
    await endSessionsOf(deps.pool, "directory", user.id);
    await signIn(reply, user.id);
    return goTo(reply, "/settings", CHANGED);
  });
}

const CHANGED: Notice = {
  kind: "success",
  message: "Your password is changed. You are logged out everywhere else.",
};
