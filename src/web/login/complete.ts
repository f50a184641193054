import type { FastifyReply, FastifyRequest } from "fastify";
import type { Exchanged } from "../../directory-client/authorization.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import type { DirectoryUser } from "../../directory-client/client.ts";
import { countLogIn } from "../../http/outcomes.ts";
import { endSessionWithId } from "../../http/sessions/session-store.ts";
import { signIn } from "../../http/sessions/sessions.ts";
import type { Web } from "../base/deps.ts";
import { accountDisabled } from "../base/members.ts";
import { isAccountOf, saveAccount } from "./accounts.ts";
import { type Attempt, redirectUri } from "./attempts.ts";
import { forgetLogout } from "./logged-out.ts";
import { popupDonePath } from "./popup.ts";
import { type LoginProblem, loginProblem } from "./problems.ts";
import { learnStateHandling } from "./state-handling.ts";

/** One of the two; both mean an error. */
export interface Answer {
  code: string | undefined;
  error: string | undefined;
}

/** How far the directory's clock may be behind ours. */
const CLOCK_MS = 60_000;

/**
 * Finishes an attempt that was just used up: exchanges the code, then saves the account, then starts a new session.
 *
 * @param handling how the answer came; stored after a successful log-in
 */
export async function completeLogin(
  web: Web,
  reply: FastifyReply,
  { attempt, answer: { code, error }, handling }: { attempt: Attempt; answer: Answer; handling: "echoes" | "drops" },
): Promise<FastifyReply> {
  const { request } = reply;
  if (error || !code) return loginProblem(reply, kindOfNo(request, attempt, error), { attempt });
  try {
    const login = await identify(web, attempt, code);
    const doubt = await doubtAbout(web, request, attempt, login);
    if (doubt) return loginProblem(reply, doubt, { attempt });
    const { id, disabledAt } = await saveAccount(web, login);
    web.tokenChecks.note(login.token);
    if (disabledAt) throw accountDisabled();
    await learnStateHandling(web, handling);
    // If somebody has logged out meanwhile, they stay out: only one of the two can end the session.
    if (attempt.confirms && !(await endSessionWithId(web.pool, "app", request.session.sessionId)))
      return loginProblem(reply, "session_over", { attempt });
    forgetLogout(web, reply);
    await signIn(reply, id, {
      keep: ["place", "verifiedAt"],
      ...(attempt.confirms ? { verifiedAt: givenAt(login) } : {}),
    });
  } catch (cause) {
    if (!(cause instanceof DirectoryError)) throw cause;
    return loginProblem(reply, problemWith(cause), { attempt, cause });
  }
  countLogIn("app", "ok");
  return reply.redirect(attempt.display === "webpopup" ? popupDonePath(attempt.next) : attempt.next, 303);
}

/**
 * When the password was given, in epoch milliseconds. Takes the earlier of two clocks, so that a confirmation never
 * lasts longer.
 */
const givenAt = ({ authTime }: Login): number => Math.min(Date.now(), authTime?.getTime() ?? Number.POSITIVE_INFINITY);

/** A popup offers a new start; the page behind it stays as it is. */
function kindOfNo({ session }: FastifyRequest, { display }: Attempt, error: string | undefined): LoginProblem {
  if (error !== "access_denied") return "directory_error";
  return session.owner && display !== "webpopup" ? "still_logged_in" : "denied";
}

/**
 * Returns why a confirmation does not count. The account must be the one that asked and is still logged in. Whether the
 * password was asked for is known if the directory reports it (`auth_time`). If it does not offer that, its
 * /oauth2/authorize, which "always prompts" (interface), is trusted.
 */
async function doubtAbout(
  web: Web,
  { session }: FastifyRequest,
  { confirms, begunAt }: Attempt,
  login: Login,
): Promise<LoginProblem | undefined> {
  if (confirms === null) return undefined;
  if (!session.owner) return "session_over";
  if (session.owner !== confirms || !(await isAccountOf(web, confirms, login))) return "another_account";
  if (login.authTime) return login.authTime.getTime() < begunAt.getTime() - CLOCK_MS ? "not_asked" : undefined;
  return (await web.authHost.features()).freshLogin ? "not_asked" : undefined;
}

interface Login extends Exchanged {
  user: DirectoryUser | undefined;
}

/**
 * Exchanges the code and identifies the user. Stores nothing.
 *
 * @throws DirectoryError
 */
async function identify(web: Web, { codeVerifier }: Attempt, code: string): Promise<Login> {
  const credentials = await web.credentials();
  const exchanged = await web.authHost.exchangeCode({
    ...credentials,
    redirectUri: redirectUri(web),
    code,
    codeVerifier,
  });
  return { ...exchanged, user: await whoIs(web, exchanged.token) };
}

/** The interface has no identity call, so a directory may lack users/self. */
async function whoIs(web: Web, token: string): Promise<DirectoryUser | undefined> {
  const user = await web.directory.self({ token }).catch((error) => {
    if (error instanceof DirectoryError && error.kind === "not_found") return undefined;
    throw error;
  });
  if (user && !/^[\x21-\x7e]{1,100}$/.test(user.id))
    throw new DirectoryError("invalid_answer", undefined, { reason: "an unusable user id" });
  return user;
}

function problemWith({ kind }: DirectoryError): LoginProblem {
  if (kind === "unreachable" || kind === "refused_client" || kind === "rejected") return kind;
  if (kind === "not_enabled") return "refused_client";
  return kind === "rate_limited" ? "busy" : "directory_error";
}
