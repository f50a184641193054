import type { FastifyReply } from "fastify";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { countLogIn } from "../../http/metrics.ts";
import type { Problem } from "../../http/pages/parts.ts";
import { sendView } from "../../http/pages/views.ts";
import { t } from "../../language/translate.ts";
import { waitInWords } from "../../shared/errors.ts";
import { loginPath } from "../base/local-path.ts";
import type { Attempt } from "./attempts.ts";

interface Words {
  status: number;
  heading: string;
  message: string;
  advice?: string;
}

const PROBLEMS = {
  malformed: () => ({
    status: 400,
    heading: t("We couldn’t finish logging you in"),
    message: t("The address is incomplete, or does not come from the directory."),
  }),
  unknown: () => ({
    status: 400,
    heading: t("We couldn’t finish logging you in"),
    message: t("It was not started here, or too long ago. Nobody has been logged in."),
  }),
  elsewhere: () => ({
    status: 400,
    heading: t("This log-in was not started in this browser"),
    message: t("Nobody has been logged in."),
    advice: t(
      "If you did start it here, your browser did not keep our cookie: allow cookies for this site, then start again.",
    ),
  }),
  other_directory: () => ({
    status: 400,
    heading: t("We couldn’t finish logging you in"),
    message: t("It was started or answered by a directory that Samespot does not use. Nobody has been logged in."),
  }),
  none_pending: () => ({
    status: 400,
    heading: t("No log-in is waiting in this browser"),
    message: t("It may have been finished already, or have taken more than ten minutes. Nobody has been logged in."),
    advice: t(
      "If you started it a moment ago, your browser did not keep our cookie: allow cookies for this site, then start again.",
    ),
  }),
  several_pending: () => ({
    status: 400,
    heading: t("More than one log-in is waiting in this browser"),
    message: t("The directory did not say which log-in it is answering. Nobody has been logged in."),
    advice: t("Start again: this ends the other log-ins."),
  }),
  used: () => ({
    status: 400,
    heading: t("We couldn’t finish logging you in"),
    message: t("A log-in works only once. The start page shows whether you are logged in."),
  }),
  expired: () => ({
    status: 400,
    heading: t("This log-in took too long"),
    message: t("For your safety, you have to finish a log-in within ten minutes."),
  }),
  denied: () => ({
    status: 200,
    heading: t("You did not allow access"),
    message: t("Nothing was shared with Samespot, and nothing has changed here."),
  }),
  still_logged_in: () => ({
    status: 200,
    heading: t("Nothing has changed"),
    message: t("You did not allow access at the directory. You are still logged in here as before."),
  }),
  another_account: () => ({
    status: 403,
    heading: t("That was another account"),
    message: t("To confirm it’s you, log in at the directory with the account you use here. Nothing has changed."),
  }),
  not_asked: () => ({
    status: 403,
    heading: t("The directory did not ask for your password again"),
    message: t("So Samespot can’t be sure it’s you. Nothing has changed."),
    advice: t("Log out of the directory, then try again."),
  }),
  session_over: () => ({
    status: 403,
    heading: t("Your session has ended"),
    message: t("Your session ended before you confirmed it’s you, perhaps because you logged out. Log in to continue."),
  }),
  directory_error: () => ({
    status: 502,
    heading: t("The directory could not log you in"),
    message: t("The directory reported a problem or sent an unreadable answer. Nobody has been logged in."),
  }),
  unreachable: () => ({
    status: 503,
    heading: t("The directory does not answer"),
    message: t("Nobody has been logged in. Please try again in a moment."),
  }),
  busy: () => ({
    status: 503,
    heading: t("The directory is busy"),
    message: t("Nobody has been logged in."),
  }),
  refused_client: () => ({
    status: 502,
    heading: t("The directory refused Samespot"),
    message: t(
      "The directory does not accept this Samespot as an application. Ask an admin of Samespot to check the client id and the client secret.",
    ),
  }),
  rejected: () => ({
    status: 400,
    heading: t("The directory did not accept this log-in"),
    message: t("It may have taken too long, or been used already. Nobody has been logged in."),
  }),
} satisfies Record<string, () => Words>;
export type LoginProblem = keyof typeof PROBLEMS;

interface Details {
  attempt?: Pick<Attempt, "next" | "display" | "confirms">;
  cause?: unknown;
}

/** If the directory does not say when to try again. */
const RETRY_SECONDS = 5;

/**
 * Sends the page for a failed log-in, with a link to start again. Text from the directory is never shown (attacks A07).
 */
export function loginProblem(reply: FastifyReply, kind: LoginProblem, { attempt, cause }: Details = {}): FastifyReply {
  countLogIn("app", kind);
  const { status, ...words }: Words = PROBLEMS[kind]();
  const { id: requestId, log } = reply.request;
  const wait = cause instanceof DirectoryError ? cause.retryAfter : undefined;
  if (status === 503) reply.header("retry-after", String(wait ?? RETRY_SECONDS));
  if (status >= 500) log.warn({ err: cause, problem: kind }, "log-in failed");
  const advice = wait ? t("Please start again in {wait}.", { wait: waitInWords(wait) }) : words.advice;
  const problem: Problem = { ...words, advice, requestId, action: wayOn(kind, attempt) };
  return sendView(reply.code(status), "error", { title: words.heading, nav: "none", problem });
}

/** Returns a link back for people who only declined, otherwise a new start of the same kind in the same window. */
function wayOn(kind: LoginProblem, attempt: Details["attempt"]) {
  const { next = "/", display, confirms } = attempt ?? {};
  if (kind === "session_over") return { href: loginPath(next), label: t("Log in") };
  if (kind === "still_logged_in") return { href: next, label: t("Go back") };
  if (kind === "several_pending") return { href: loginPath("/", { alone: "1" }), label: t("Start again") };
  const label = kind === "unreachable" ? t("Try again") : t("Start again");
  return { href: loginPath(next, { display, ...(confirms ? { confirm: "1" } : {}) }), label };
}
