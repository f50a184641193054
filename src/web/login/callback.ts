import type { FastifyReply, FastifyRequest } from "fastify";
import { csrfToken, textField } from "../../http/pages/forms.ts";
import { sendView } from "../../http/pages/views.ts";
import { t } from "../../language/translate.ts";
import type { Web } from "../base/deps.ts";
import { consumeAttempt, type PendingAttempt, pendingAttempts, useUp } from "./attempts.ts";
import { type Answer, completeLogin } from "./complete.ts";
import { keepOpener } from "./popup.ts";
import { loginProblem } from "./problems.ts";
import { stateHandling } from "./state-handling.ts";

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
  const minutes = Math.floor((Date.now() - begunAt.getTime()) / 60_000);
  const ago =
    minutes < 1
      ? t("less than a minute ago")
      : t("{minutes, plural, one {# minute} other {# minutes}} ago", { minutes });
  const begun = { ago, at: begunAt.toISOString() };
  const data = {
    title: t("Finish logging in?"),
    nav: "none",
    begun,
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
