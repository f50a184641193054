import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isUnavailable } from "../../db/unavailable.ts";
import { unavailable } from "../../shared/errors.ts";
import { type Busy, tooBusy } from "../in-flight.ts";
import { toKnownError } from "../server.ts";
import type { Problem } from "./parts.ts";
import { renderView } from "./views.ts";

const START = { href: "/", label: "Go to the start page" };
const RELOAD = "Reload this page to try again.";

type Menu = { user: { name: string; isAdmin: boolean }; csrf: string; path: string };

interface ErrorPageOptions {
  action?: { href: string; label: string };
  menu?: (request: FastifyRequest) => Promise<Menu | undefined>;
}

export const busyPage =
  (nav: "none" | "directory") =>
  async (app: FastifyInstance): Promise<Busy> => {
    const { status, title: heading = "", message } = tooBusy();
    const problem = { status, heading, message, advice: RELOAD, action: START };
    const body = await renderView(app, "error", { title: heading, nav, problem });
    return () => ({ headers: { "content-type": "text/html; charset=utf-8" }, body });
  };

/** Renders every error on a listener of pages. If the menu fails, the page comes without it. */
export function errorPages(nav: "none" | "directory", { action = START, menu }: ErrorPageOptions = {}) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const isOutage = isUnavailable(error);
    const shown = isOutage
      ? unavailable("Our database is not available at the moment. Nothing is lost. Please try again shortly.", 2, error)
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
    // Not reply.view: for an unreadable address Fastify's reply lacks our decorations.
    const page = await renderView(reply.server, "error", data).catch((failure: unknown) => {
      request.log.error({ err: failure }, "error page failed");
      return plainPage(request.id);
    });
    return reply.type("text/html; charset=utf-8").send(page);
  };
}

/** For when the error page fails. It uses neither a view nor the request, so it cannot fail. */
const plainPage = (requestId: string): string =>
  `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>That did not work</title></head>
<body><h1>That did not work</h1><p>${RELOAD} If you ask for help, quote request <code>${requestId}</code>.</p></body>
</html>
`;
