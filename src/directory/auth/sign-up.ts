import type { FastifyReply, FastifyRequest } from "fastify";
import { text } from "../../contract/text.ts";
import { textField } from "../../http/pages/forms.ts";
import { signIn } from "../../http/pages/sessions.ts";
import { checkParameters, errorsInWords } from "../../http/parameters.ts";
import { t } from "../../language/translate.ts";
import { KnownError, waitInWords } from "../../shared/errors.ts";
import { addUser, DEMO_HANDLE, newUser, OPERATOR_HANDLE } from "../users.ts";
import { fieldWords } from "./account.ts";
import { type AuthDeps, afterLogin, createBrake } from "./base/session.ts";
import { showSignUp } from "./dialogs.ts";
import { findRequest } from "./waiting-requests.ts";

/** Applications show the first name, so it is required. Setup, OPERATORS and ADMINS reserve handles. */
const typedUser = (deps: AuthDeps) => {
  const appointed = [...(deps.operator?.names ?? []), ...deps.config.admins];
  const reserved = [DEMO_HANDLE, OPERATOR_HANDLE, ...appointed.map((name) => name.toLowerCase())];
  const handle = newUser.shape.handle.refine((name) => !reserved.includes(name), {
    error: () => t("handle is reserved; choose another"),
  });
  return newUser.safeExtend({ handle, firstName: text("firstName", 100) });
};

export async function askSignUp(deps: AuthDeps, call: FastifyRequest, reply: FastifyReply) {
  const request = textField(call.query, "request");
  return showSignUp(reply, { request, waiting: await findRequest(deps, request) });
}

export async function signUp(deps: AuthDeps, call: FastifyRequest, reply: FastifyReply) {
  const request = textField(call.body, "request");
  const again = { request, waiting: await findRequest(deps, request), values: typedFields(call.body) };
  const { value, errors } = checkParameters(typedUser(deps), call.body);
  if (!value) return showSignUp(reply.code(400), { ...again, errors: errorsInWords(errors, fieldWords) });

  // Limits one network whatever the input, so that it cannot fill the directory with users or find out taken handles.
  const brake = createBrake(deps, { name: "sign-up", limit: 20, windowSeconds: 60 * 60 });
  const refusal = await brake.count("", call);
  if (refusal) {
    const wait = waitInWords(Number(refusal.headers["retry-after"]));
    const form = t("Too many sign-ups from your network. Try again in {wait}.", { wait });
    return showSignUp(reply.code(refusal.status).headers(refusal.headers), { ...again, errors: { form } });
  }
  try {
    const { id } = await addUser(deps, value);
    await signIn(reply, id);
    call.session.loggedInFor = request;
  } catch (error) {
    if (!(error instanceof KnownError) || error.status !== 409) throw error;
    return showSignUp(reply.code(409), { ...again, errors: { handle: error.message } });
  }
  return reply.redirect(afterLogin(request), 303);
}

export const typedFields = (body: unknown): Record<string, string> =>
  Object.fromEntries(
    ["handle", "firstName", "lastName", "email"].map((name) => [name, textField(body, name).slice(0, 300)]),
  );
