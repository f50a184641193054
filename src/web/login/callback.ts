import type { FastifyReply, FastifyRequest } from "fastify";
import { csrfToken, textField } from "../../http/forms.ts";
import { sendView } from "../../http/views.ts";
import type { Web } from "../base/deps.ts";
import { count } from "../base/words.ts";
import { consumeAttempt, type PendingAttempt, pendingAttempts, useUp } from "./attempts.ts";
import { type Answer, completeLogin } from "./complete.ts";
import { keepOpener } from "./popup.ts";
import { loginProblem } from "./problems.ts";
import { stateHandling } from "./state-handling.ts";

/** Longer than any code, state or issuer of an honest directory. */
const LONGEST = 4096;

/**
 * The answer of the directory (interface, "Code flow", steps 2 to 5): an ordered list of checks, of which all that
 * need no secret come first, then one use of the attempt, then one exchange of the code. An `iss` must be the directory's
 * (RFC 9207).
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

/** The form of "Finish logging in?": the person says that they began it. */
export async function finishAsked(web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  keepOpener(reply).header("referrer-policy", "no-referrer");
  const code = textField(request.body, "code");
  if (!code || code.length > LONGEST) return loginProblem(reply, "malformed");
  return finishWithoutState(web, reply, { code, error: undefined }, true);
}

/**
 * An answer without `state`, at a directory that is not known to give it back. It can only belong to the one log-in that
 * waits in this browser. Whether the person began it or was sent here with a stranger's code (RFC 6749 section 10.12)
 * cannot be told from it: so they are asked, until it is known that this directory drops the state. From then on the
 * cookie of the attempt is the proof, which is good once; a stranger who sends somebody here must catch them in the
 * minutes in which they log in themselves. A no needs no proof: nobody is logged in by it.
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
  // The address holds the code: it must not go into a Referer. With no-referrer the form would have no Origin either.
  reply.header("referrer-policy", "strict-origin");
  const minutes = Math.floor((Date.now() - begunAt.getTime()) / 60_000);
  const ago = minutes < 1 ? "less than a minute ago" : `${count(minutes, "minute")} ago`;
  const begun = { ago, at: begunAt.toISOString() };
  const data = { title: "Finish logging in?", nav: "none", begun, code: code ?? "", csrf: csrfToken(reply) } as const;
  return sendView(reply.code(400), "login/finish", data);
}

/** Each parameter as text. One that is given twice spoils all: it is not said which would count (RFC 6749, 3.1). */
function oneOfEach<N extends string>(query: unknown, names: N[]): Partial<Record<N, string>> {
  const values = names.map((name) => [name, (query as Record<string, unknown>)[name]] as const);
  if (values.some(([, value]) => Array.isArray(value) || (typeof value === "string" && value.length > LONGEST)))
    return {};
  return Object.fromEntries(values) as Partial<Record<N, string>>;
}
