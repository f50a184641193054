import type { FastifyReply } from "fastify";
import { DirectoryError } from "../directory-client/errors.ts";
import { waitInWords } from "../errors.ts";
import { loginPath } from "./local-path.ts";

interface Words {
  status: number;
  heading: string;
  message: string;
  advice?: string;
}

const PROBLEMS = {
  malformed: {
    status: 400,
    heading: "This log-in cannot be finished",
    message: "The address is not complete, or not one the directory sends.",
  },
  unknown: {
    status: 400,
    heading: "This log-in is not known here",
    message: "It was not begun here, or long ago. Nobody has been logged in.",
  },
  elsewhere: {
    status: 400,
    heading: "This log-in was not begun in this browser",
    message: "Nobody has been logged in.",
    advice: "If it was, your browser did not keep our cookie: allow cookies for this site, then start again.",
  },
  used: {
    status: 400,
    heading: "This log-in has been used already",
    message: "A log-in works once. If you are logged in, the start page says so.",
  },
  expired: {
    status: 400,
    heading: "This log-in took too long",
    message: "For your safety a log-in has to be finished within ten minutes.",
  },
  denied: {
    status: 200,
    heading: "You did not give access",
    message: "Nothing was shared with Samespot. Without access to your directory account you cannot be logged in.",
  },
  directory_error: {
    status: 502,
    heading: "The directory could not log you in",
    message: "It reported a problem or sent an answer that cannot be read. Nobody has been logged in.",
  },
  unreachable: {
    status: 503,
    heading: "The directory does not answer",
    message: "Nobody has been logged in. Please try again in a moment.",
  },
  busy: {
    status: 503,
    heading: "The directory asks us to slow down",
    message: "Nobody has been logged in.",
  },
  refused_client: {
    status: 502,
    heading: "The directory refused Samespot",
    message: "It does not accept this server as an application. Whoever runs it needs to look at that.",
  },
  rejected: {
    status: 400,
    heading: "The directory did not accept this log-in",
    message: "It may have taken too long, or been used already. Nobody has been logged in.",
  },
} satisfies Record<string, Words>;
export type LoginProblem = keyof typeof PROBLEMS;

/** The page for a log-in that did not work, with a way to start again. Foreign words are never shown (attacks A07). */
export function loginProblem(reply: FastifyReply, kind: LoginProblem, next = "/", cause?: unknown): FastifyReply {
  const { status, ...words }: Words = PROBLEMS[kind];
  const { id: requestId, log } = reply.request;
  const wait = cause instanceof DirectoryError ? cause.retryAfter : undefined;
  if (wait) reply.header("retry-after", String(wait));
  if (status >= 500) log.warn({ err: cause, problem: kind }, "log-in failed");
  const advice = wait ? `Please start again in ${waitInWords(wait)}.` : words.advice;
  const problem = { ...words, advice, requestId, action: { href: loginPath(next), label: "Start again" } };
  return reply
    .code(status)
    .view("partials/error-page", { title: words.heading, nav: "none", problem }, { layout: "layout" });
}
