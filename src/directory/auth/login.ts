import type { FastifyInstance } from "fastify";
import { textField } from "../../http/forms.ts";
import { signIn, signOut } from "../../http/sessions.ts";
import type { DirectoryDeps } from "../tokens.ts";
import { checkPassword } from "../users.ts";
import { createBrake } from "./brake.ts";
import { showLogin } from "./dialogs.ts";
import { findRequest } from "./waiting-requests.ts";

/** GET and POST /login, POST /logout; with `request` for an application's request that waits, without for the settings. */
export function registerLogin(app: FastifyInstance, deps: DirectoryDeps): void {
  const brake = createBrake({ limit: 10, windowSeconds: 15 * 60 });

  app.get("/login", async (call, reply) => {
    return showLogin(reply, { waiting: await findRequest(deps, textField(call.query, "request")) });
  });

  app.post("/login", async (call, reply) => {
    const waiting = await findRequest(deps, textField(call.body, "request"));
    const handle = textField(call.body, "handle");
    const password = textField(call.body, "password");
    const again = { waiting, handle: handle.slice(0, 100) };
    const errors = {
      ...(handle ? {} : { handle: "Enter your handle" }),
      ...(password ? {} : { password: "Enter your password" }),
    };
    if (!handle || !password) return showLogin(reply.code(400), { ...again, errors });

    const subject = handle.trim().toLowerCase();
    brake.check(subject, call.ip);
    brake.count(subject, call.ip);
    const user = await checkPassword(deps, handle, password);
    if (!user) return showLogin(reply.code(401), { ...again, errors: { form: WRONG_PASSWORD } });
    brake.clear(subject, call.ip);
    await signIn(reply, user.id);
    return reply.redirect(waiting ? `/oauth2/consent?request=${waiting.id}` : "/settings", 303);
  });

  app.post("/logout", async (call, reply) => {
    const waiting = await findRequest(deps, textField(call.body, "request"));
    await signOut(call);
    return reply.redirect(waiting ? `/login?request=${waiting.id}` : "/", 303);
  });
}

/** The same for an unknown handle (attacks B19). */
const WRONG_PASSWORD = "Handle or password is wrong. Check both and try again.";
