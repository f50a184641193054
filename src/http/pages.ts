import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isUnavailable } from "../db/unavailable.ts";
import { unavailable } from "../shared/errors.ts";
import { type Busy, tooBusy } from "./in-flight.ts";
import type { Problem } from "./parts.ts";
import { toKnownError } from "./server.ts";
import { renderView } from "./views.ts";

const START = { href: "/", label: "Go to the start page" };
const RELOAD = "Reload this page to try again.";

type Menu = { user: { name: string; isAdmin: boolean }; csrf: string; path: string };

interface ErrorPageOptions {
  /** Where to go from there. */
  action?: { href: string; label: string };
  /** What the layout shows of whoever is logged in: their name and their menu; undefined for a guest. */
  menu?: (request: FastifyRequest) => Promise<Menu | undefined>;
}

/** The refusal of one request too many, as a page. It is made once, and has no menu. */
export const busyPage =
  (nav: "none" | "directory") =>
  async (app: FastifyInstance): Promise<Busy> => {
    const { status, title: heading = "", message } = tooBusy();
    const problem = { status, heading, message, advice: RELOAD, action: START };
    const body = await renderView(app, "error", { title: heading, nav, problem });
    return () => ({ headers: { "content-type": "text/html; charset=utf-8" }, body });
  };

/**
 * Answers all that goes wrong on a listener of pages with one error page: what happened, what to do, and the request id
 * that finds it in the log. The menu is a convenience: where it cannot be had, the page is the same without.
 */
export function errorPages(nav: "none" | "directory", { action = START, menu }: ErrorPageOptions = {}) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const isOutage = isUnavailable(error);
    const shown = isOutage
      ? unavailable("Our database does not answer just now. Nothing is lost: please try again in a moment.", 2, error)
      : toKnownError(error);
    if (shown.status >= 500) request.log.error({ err: error }, "page failed");
    reply.code(shown.status).headers(shown.headers);
    const problem: Problem = {
      status: shown.status,
      heading: shown.title ?? "That did not work",
      message: shown.message,
      ...(isOutage && { advice: RELOAD }),
      action,
      requestId: request.id,
    };
    const member = isOutage ? undefined : await menu?.(request).catch(() => undefined);
    const data = { title: problem.heading, nav, ...member, problem };
    // Not reply.view: to an address that cannot be read Fastify answers with a reply that has nothing of ours.
    const page = await renderView(reply.server, "error", data).catch((failure: unknown) => {
      request.log.error({ err: failure }, "error page failed");
      return plainPage(request.id);
    });
    return reply.type("text/html; charset=utf-8").send(page);
  };
}

/** For when the error page itself fails: no view and nothing of the request, so that it cannot fail too. */
const plainPage = (requestId: string): string =>
  `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>That did not work</title></head>
<body><h1>That did not work</h1><p>${RELOAD} If you ask for help, quote request <code>${requestId}</code>.</p></body>
</html>
`;
