import type { FastifyReply, FastifyRequest } from "fastify";
import type { Exchanged } from "../../directory-client/auth-host.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import type { DirectoryUser } from "../../directory-client/client.ts";
import { countLogIn } from "../../http/metrics.ts";
import { csrfToken, textField } from "../../http/pages/forms.ts";
import { endSessionWithId, signIn } from "../../http/pages/sessions.ts";
import { shownTime } from "../../http/pages/times.ts";
import { sendView } from "../../http/pages/views.ts";
import { t } from "../../language/translate.ts";
import type { Web } from "../base/deps.ts";
import { localPath, loginPath } from "../base/local-path.ts";
import { accountDisabled } from "../base/members.ts";
import { isAccountOf, saveAccount } from "./accounts.ts";
import {
  type Attempt,
  consumeAttempt,
  learnStateHandling,
  type PendingAttempt,
  pendingAttempts,
  redirectUri,
  stateHandling,
  useUp,
} from "./attempts.ts";
import { forgetLogout } from "./logged-out.ts";
import { type LoginProblem, loginProblem } from "./problems.ts";

/** Longer than any code, state or issuer of an honest directory. */
const LONGEST = 4096;

/**
 * Handles the directory's answer (interface, "Code flow", steps 2 to 5): first the checks that need no secret, then one
 * use of the attempt, then one exchange of the code. An `iss` must be the directory's (RFC 9207).
 */
export async function finishLogin(web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  keepOpener(reply).header("referrer-policy", "no-referrer");
  const { state, code, error, iss } = oneOfEach(request.query, ["state", "code", "error", "iss"]);
  if (state === "" || (!code && !error)) return loginProblem(reply, "malformed");
  if (iss !== undefined && iss !== web.authHost.url) return loginProblem(reply, "other_directory");
  if (state === undefined) return finishWithoutState(web, reply, { code, error });

  const attempt = await consumeAttempt(web, reply, state);
  if (!("refused" in attempt))
    return completeLogin(web, reply, { attempt, answer: { code, error }, handling: "echoes" });
  if (attempt.refused === "used" && request.session.owner) return reply.redirect("/", 303);
  return loginProblem(reply, attempt.refused);
}

/** The form of "Finish logging in?": the person confirms that they started it. */
export async function finishAsked(web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  keepOpener(reply).header("referrer-policy", "no-referrer");
  const code = textField(request.body, "code");
  if (!code || code.length > LONGEST) return loginProblem(reply, "malformed");
  return finishWithoutState(web, reply, { code, error: undefined }, true);
}

/**
 * Handles an answer without `state`, if the directory is not known to return it. It can only belong to the single
 * log-in that is waiting in this browser. It does not prove that the person started it, rather than being sent here
 * with a stranger's code (RFC 6749 section 10.12): so they are asked, until it is known that this directory drops the
 * state. From then on the attempt's cookie is the proof; a stranger would have to catch the person in the minutes of
 * their own log-in. An error needs no proof, because it logs nobody in.
 */
async function finishWithoutState(web: Web, reply: FastifyReply, answer: Answer, isAsked = false) {
  const handling = await stateHandling(web);
  if (handling === "echoes") return loginProblem(reply, "malformed");
  const [pending, ...others] = await pendingAttempts(web, reply.request);
  if (others.length > 0) return loginProblem(reply, "several_pending");
  const mustAsk = handling === "unknown" && !isAsked && !answer.error;
  if (pending && mustAsk) return askToFinish(reply, pending, answer);

  const attempt = pending && (await useUp(web, reply, pending));
  if (attempt) return completeLogin(web, reply, { attempt, answer, handling: "drops" });
  if (reply.request.session.owner) return reply.redirect("/", 303);
  return loginProblem(reply, "none_pending");
}

function askToFinish(reply: FastifyReply, { begunAt }: PendingAttempt, { code }: Answer): FastifyReply {
  // The address holds the code, which must not appear in a Referer. With no-referrer the form would send no Origin.
  reply.header("referrer-policy", "strict-origin");
  const data = {
    title: t("Finish logging in?"),
    nav: "none",
    begun: shownTime(begunAt),
    code: code ?? "",
    csrf: csrfToken(reply),
  } as const;
  return sendView(reply.code(400), "login/finish", data);
}

/**
 * Returns each parameter as text. Returns none if one is repeated: the standard does not say which would count (RFC
 * 6749, 3.1).
 */
function oneOfEach<N extends string>(query: unknown, names: N[]): Partial<Record<N, string>> {
  const values = names.map((name) => [name, (query as Record<string, unknown>)[name]] as const);
  if (values.some(([, value]) => Array.isArray(value) || (typeof value === "string" && value.length > LONGEST)))
    return {};
  return Object.fromEntries(values) as Partial<Record<N, string>>;
}

/** One of the two; both mean an error. */
interface Answer {
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
async function completeLogin(
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

/**
 * The end of a log-in in a popup (display=webpopup). "The callback loads in the calling window, and the popup closes"
 * (interface, rule 4): if the directory does that, this page loads in the calling window and redirects. Other
 * directories load the callback in the popup; then this page tells its opener, which redirects, and closes
 * (public/popup.js). Without script it shows a link.
 */
const popupDonePath = (next: string): string => `/login/popup?next=${encodeURIComponent(next)}`;

export async function showPopupDone(_web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const next = localPath(textField(request.query, "next"));
  if (!request.session.owner) return reply.redirect(loginPath(next), 303);
  return sendView(keepOpener(reply), "login/popup", { title: t("You are logged in"), nav: "none", next });
}

/**
 * Lets a popup keep its opener across the directory's pages. A stranger's window gains nothing, because our pages talk
 * to our own origin only (attacks A29).
 */
export const keepOpener = (reply: FastifyReply): FastifyReply =>
  reply.header("cross-origin-opener-policy", "unsafe-none");
