import type { FastifyReply, FastifyRequest } from "fastify";
import type { DirectoryUser } from "../directory-client/client.ts";
import { DirectoryError } from "../directory-client/errors.ts";
import { KnownError } from "../errors.ts";
import { signIn } from "../http/sessions.ts";
import { saveAccount } from "./accounts.ts";
import { codeVerifier, consumeAttempt, forgetAttempt, redirectUri } from "./attempts.ts";
import type { Web } from "./deps.ts";
import { type LoginProblem, loginProblem } from "./login-problems.ts";

/**
 * The answer of the directory (interface, "Code flow", steps 2 to 5): an ordered list of checks, of which all that
 * need no secret come first, then one use of the attempt, then one exchange of the code.
 */
export async function finishLogin(web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.header("referrer-policy", "no-referrer");
  const { state, code, error } = oneOfEach(request.query, ["state", "code", "error"]);
  if (!state || (!code && !error)) return loginProblem(reply, "malformed");

  const attempt = await consumeAttempt(web, request, state);
  if ("refused" in attempt) {
    if (attempt.refused === "used" && request.session.owner) return reply.redirect("/", 303);
    return loginProblem(reply, attempt.refused);
  }
  forgetAttempt(web, reply, state);
  if (error) return loginProblem(reply, error === "access_denied" ? "denied" : "directory_error", attempt.next);

  const login = await identify(web, state, code ?? "");
  if ("problem" in login) return loginProblem(reply, login.problem, attempt.next, login.cause);
  const account = await saveAccount(web, login);
  if (account.disabledAt)
    throw new KnownError(403, "not_authorized", "This account may not use Samespot any more. Ask whoever runs it.", {
      title: "This account is disabled",
    });
  await signIn(reply, account.id);
  return reply.redirect(attempt.next, 303);
}

/** Each parameter as text. One that is given twice spoils all: it is not said which would count (RFC 6749, 3.1). */
function oneOfEach<N extends string>(query: unknown, names: N[]): Partial<Record<N, string>> {
  const values = names.map((name) => [name, (query as Record<string, unknown>)[name]] as const);
  if (values.some(([, value]) => Array.isArray(value) || (typeof value === "string" && value.length > 4096))) return {};
  return Object.fromEntries(values) as Partial<Record<N, string>>;
}

type Login = { token: string; user: DirectoryUser | undefined };

/** Token and identity, or what went wrong on the way; nothing of it is stored yet. */
async function identify(
  web: Web,
  state: string,
  code: string,
): Promise<Login | { problem: LoginProblem; cause: unknown }> {
  try {
    const token = await web.authHost.exchangeCode({
      ...(await web.credentials()),
      redirectUri: redirectUri(web),
      code,
      codeVerifier: codeVerifier(web, state),
    });
    return { token, user: await whoIs(web, token) };
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    const known = {
      unreachable: "unreachable",
      refused_client: "refused_client",
      rejected: "rejected",
      rate_limited: "busy",
    } as const;
    return { problem: known[error.kind as keyof typeof known] ?? "directory_error", cause: error };
  }
}

/** The interface itself names no identity call: a directory may have no users/self. */
async function whoIs(web: Web, token: string): Promise<DirectoryUser | undefined> {
  const user = await web.directory.self({ token }).catch((error) => {
    if (error instanceof DirectoryError && error.kind === "not_found") return undefined;
    throw error;
  });
  if (user && !/^[\x21-\x7e]{1,100}$/.test(user.id))
    throw new DirectoryError("invalid_answer", undefined, { reason: "an unusable user id" });
  return user;
}
