import type { FastifyReply, FastifyRequest } from "fastify";
import { textField } from "../../../http/pages/forms.ts";
import { goTo } from "../../../http/pages/notice.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { endSessionsOf } from "../../../http/sessions/session-store.ts";
import { signIn } from "../../../http/sessions/sessions.ts";
import { t } from "../../../language/translate.ts";
import { changePassword, passwordProblem } from "../../users.ts";
import type { AuthDeps } from "../session/deps.ts";
import type { Own } from "../session/guards.ts";
import { currentPasswordCheck } from "./current-password.ts";
import { fieldWords } from "./field-words.ts";
import { showSettings } from "./settings.ts";

/** Ends the user's other sessions and gives this one a new id. Connected applications stay connected. */
export async function setPassword(deps: AuthDeps, call: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const current = textField(call.body, "currentPassword");
  const next = textField(call.body, "newPassword");
  const person = await deps.prisma.user.findUniqueOrThrow({ where: { id: user.id } });
  const problem = passwordProblem(next, person);
  const errors = {
    ...(current ? {} : { currentPassword: t("Enter your current password") }),
    ...(problem ? { newPassword: fieldWords("password", problem) } : {}),
  };
  if (!current || problem) return showSettings(deps, reply.code(400), user, { errors });

  const refusal = await currentPasswordCheck(deps)(call, user, () => changePassword(deps, user.id, { current, next }));
  if (refusal) {
    const errors = { currentPassword: refusal.message };
    return showSettings(deps, reply.code(refusal.status).headers(refusal.headers), user, { errors });
  }
  await endSessionsOf(deps.pool, "directory", user.id);
  await signIn(reply, user.id);
  return goTo(reply, "/settings", changed());
}

const changed = (): Notice => ({
  kind: "success",
  message: t("Your password has been changed, and your other sessions have been ended."),
});
