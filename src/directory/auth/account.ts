import type { FastifyReply, FastifyRequest } from "fastify";
import { csrfToken, goTo, takeNotice, textField } from "../../http/pages/forms.ts";
import { keepLanguage, languageChoices } from "../../http/pages/languages.ts";
import type { Notice } from "../../http/pages/parts.ts";
import { endSession, endSessionsOf, ownSessions, signIn, signOut } from "../../http/pages/sessions.ts";
import { shownTime } from "../../http/pages/times.ts";
import { sendView } from "../../http/pages/views.ts";
import { t } from "../../language/translate.ts";
import { badRequest, type KnownError } from "../../shared/errors.ts";
import type { DirectoryDeps } from "../deps.ts";
import { disconnect } from "../tokens.ts";
import { changePassword, checkPassword, passwordProblem } from "../users.ts";
import {
  type AuthDeps,
  createBrake,
  type Own,
  SESSION_LIMITS,
  type SignedInUser,
  signedInUser,
} from "./base/session.ts";

export const settings = (deps: AuthDeps, _request: FastifyRequest, reply: FastifyReply, { user }: Own) =>
  showSettings(deps, reply, user);

export function chooseLanguage({ config }: AuthDeps, request: FastifyRequest, reply: FastifyReply) {
  keepLanguage(request, reply, { offered: config.languages, secure: config.auth.url.startsWith("https:") });
  return goTo(reply, "/settings");
}

export async function disconnectApplication(
  deps: AuthDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: Own,
) {
  const clientId = textField(request.body, "client_id").replaceAll("\0", "");
  const wasConnected = await disconnect(deps, { userId: user.id, clientId });
  return goTo(reply, "/settings", wasConnected ? disconnected() : notConnected());
}

const disconnected = (): Notice => ({
  kind: "success",
  message: t("Disconnected. The application's access token no longer works."),
});
const notConnected = (): Notice => ({ kind: "info", message: t("This application is not connected.") });

export interface Problem {
  /** By field id. */
  errors: { currentPassword?: string; newPassword?: string; session?: string; sessionPassword?: string };
  chosen?: string | undefined;
}

async function showSettings(
  deps: Pick<AuthDeps, "prisma" | "pool" | "config">,
  reply: FastifyReply,
  user: SignedInUser,
  { errors, chosen }: Problem = { errors: {} },
): Promise<FastifyReply> {
  const owned = { pool: deps.pool, table: "directory", owner: user.id, limits: SESSION_LIMITS } as const;
  return sendView(reply, "directory/settings", {
    title: t("Settings"),
    user,
    connections: await connectionsOf(deps, user.id),
    sessions: await ownSessions(reply.request, owned),
    languages: languageChoices(deps.config.languages),
    errors,
    chosen,
    notice: takeNotice(reply.request),
    csrf: csrfToken(reply),
    path: "/settings",
  });
}

async function connectionsOf({ prisma }: Pick<DirectoryDeps, "prisma">, userId: string) {
  const connections = await prisma.authorization.findMany({
    where: { userId },
    orderBy: { createdAt: "desc" },
    select: {
      clientId: true,
      createdAt: true,
      application: { select: { name: true, access: true, owner: { select: { handle: true } } } },
    },
  });
  return connections.map((each) => ({ ...each, since: shownTime(each.createdAt) }));
}
export type ConnectedApplication = Awaited<ReturnType<typeof connectionsOf>>[number];

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

/**
 * All forms share one rate limit, so that a stolen session cannot be used to guess the password. The check returns the
 * error to show at the field: 429 with Retry-After, or 400.
 */
function currentPasswordCheck(deps: Pick<DirectoryDeps, "pool" | "vault">) {
  const brake = createBrake(deps, { name: "password change", limit: 10, windowSeconds: 15 * 60 });
  return async (
    call: FastifyRequest,
    { id }: Pick<SignedInUser, "id">,
    isRight: () => Promise<boolean>,
  ): Promise<KnownError | undefined> => {
    const refusal = await brake.count(id, call);
    if (refusal) return refusal;
    if (!(await isRight())) return badRequest(t("This is not your current password"));
    await brake.clear(id, call);
    return undefined;
  };
}

const labels = (): Record<string, string> => ({
  handle: t("Username"),
  firstName: t("First name"),
  lastName: t("Last name"),
  email: t("E-mail"),
  password: t("Password"),
});

/** Replaces the field name at the start of `message` by its label on the page. */
export function fieldWords(field: string, message: string): string {
  const label = labels()[field] ?? field;
  return label + (message.startsWith(field) ? message.slice(field.length) : `: ${message}`);
}
