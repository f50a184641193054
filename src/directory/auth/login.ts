import type { FastifyReply, FastifyRequest } from "fastify";
import { type Db, prepared, queryRow } from "../../db/sql.ts";
import { countLogIn } from "../../http/metrics.ts";
import { textField } from "../../http/pages/forms.ts";
import { signIn, signOut } from "../../http/pages/sessions.ts";
import { t } from "../../language/translate.ts";
import { sha256 } from "../../shared/crypto.ts";
import type { KnownError } from "../../shared/errors.ts";
import type { DirectoryDeps } from "../deps.ts";
import { checkPassword } from "../users.ts";
import { afterLogin, createBrake, ownPage, type SignedInUser, signedInUser } from "./base/session.ts";
import { showLogin } from "./dialogs.ts";
import { findRequest, type WaitingRequest } from "./waiting-requests.ts";

export async function askLogin(deps: DirectoryDeps, call: FastifyRequest, reply: FastifyReply) {
  const request = textField(call.query, "request");
  const next = ownPage(textField(call.query, "next"));
  return showLogin(reply, { request, next, waiting: await findRequest(deps, request) });
}

export async function logIn(deps: DirectoryDeps, call: FastifyRequest, reply: FastifyReply) {
  const request = textField(call.body, "request");
  const waiting = await findRequest(deps, request);
  const handle = textField(call.body, "handle");
  const password = textField(call.body, "password");
  const next = ownPage(textField(call.body, "next"));
  const again = { request, next, waiting, handle: handle.slice(0, 100) };
  const errors = {
    ...(handle ? {} : { handle: t("Enter your username") }),
    ...(password ? {} : { password: t("Enter your password") }),
  };
  if (!handle || !password) return showLogin(reply.code(400), { ...again, errors });

  const { brake, crowd } = brakesOf(deps);
  const subject = asHandle(handle);
  const ofCrowd = await crowd.count(ANYBODY, call);
  const refusal = ofCrowd ?? (await brake.count(subject, call));
  if (refusal) {
    countLogIn("directory", "too_many_attempts");
    if (!ofCrowd) await crowd.forgive(ANYBODY, call);
    const errors = { form: tooManyAttempts(refusal, waiting) };
    return showLogin(reply.code(refusal.status).headers(refusal.headers), { ...again, errors });
  }
  const user = await checkPassword(deps, handle, password);
  countLogIn("directory", user ? "ok" : "wrong");
  if (!user) return showLogin(reply.code(401), { ...again, errors: { form: wrongPassword() } });
  await Promise.all([brake.clear(subject, call), crowd.forgive(ANYBODY, call)]);
  await signIn(reply, user.id);
  call.session.loggedInFor = request;
  return reply.redirect(afterLogin(request, next), 303);
}

const brakesOf = (deps: DirectoryDeps) => ({
  brake: createBrake(deps, { name: "log-in", limit: 10, windowSeconds: 15 * 60 }),
  // Limits one network across all handles, so that it cannot try a list of them or monopolize the password check.
  crowd: createBrake(deps, { name: "log-in of anybody", limit: 40, windowSeconds: 15 * 60 }),
});

export async function logOut(_deps: DirectoryDeps, call: FastifyRequest, reply: FastifyReply) {
  const request = textField(call.body, "request");
  await signOut(call);
  return reply.redirect(request ? `/login?request=${encodeURIComponent(request)}` : "/", 303);
}

const ANYBODY = "";

export const asHandle = (typed: string): string => typed.trim().toLowerCase();

function tooManyAttempts({ message, headers }: KnownError, waiting: { secondsLeft: number } | undefined): string {
  if (!waiting || waiting.secondsLeft > Number(headers["retry-after"])) return message;
  return `${message} ${t("The application will not wait that long. Once the time is up, go back to it and start again.")}`;
}

/** Also for unknown handles (attacks B19). */
const wrongPassword = () => t("Username or password is wrong. Check both and try again.");

declare module "fastify" {
  interface Session {
    loggedInFor?: string | undefined;
  }
}

/** `authTime` is set if the request required a fresh log-in. */
export type Answerer = SignedInUser & { authTime?: Date };

/**
 * With prompt=login, only a user who has logged in for this very request may answer it. Otherwise, a prepared request
 * could be answered in the name of a user who has just logged in and left. Always returns the `handle` of the signed-in
 * user, or "".
 */
export async function whoAnswers(
  deps: Pick<DirectoryDeps, "pool">,
  call: FastifyRequest,
  waiting: Pick<WaitingRequest, "id" | "clientId" | "freshLogin">,
): Promise<{ answerer?: Answerer; handle: string }> {
  const user = await signedInUser(deps, call, waiting.clientId);
  if (!user) return { handle: "" };
  const { handle } = user;
  if (!waiting.freshLogin) return { answerer: user, handle };
  const authTime = await loggedInAt(deps, call, waiting.id);
  return authTime ? { answerer: { ...user, authTime }, handle } : { handle };
}

async function loggedInAt(db: Db, { session }: FastifyRequest, requestId: string): Promise<Date | undefined> {
  const row = await queryRow<{ authTime: Date }>(prepared(db))`
    SELECT created_at AS "authTime" FROM directory.session WHERE id_hash = ${sha256(session.sessionId)}
      AND data->>'loggedInFor' = ${requestId}`;
  return row?.authTime;
}
