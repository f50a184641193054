import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isUnavailable } from "../../db/unavailable.ts";
import { currentLanguage, inLanguage, t, tHtml } from "../../language/translate.ts";
import { unavailable } from "../../shared/errors.ts";
import { type Busy, tooBusy } from "../in-flight.ts";
import { toKnownError } from "../server.ts";
import { languageOf, type Offered } from "./languages.ts";
import type { Problem } from "./parts.ts";
import { renderView } from "./views.ts";

const start = (href: string) => ({ href, label: t("Go to the start page") });
const reload = () => t("Reload this page to try again.");

type Menu = { user: { name: string; isAdmin: boolean }; csrf: string; path: string };

interface ErrorPageOptions {
  /** Address of the start page, if it is on another host. */
  home?: string;
  menu?: (request: FastifyRequest) => Promise<Menu | undefined>;
}

export const busyPage =
  (nav: "none" | "directory", offered: Offered) =>
  async (app: FastifyInstance): Promise<Busy> => {
    const page = async () => {
      const { status, title: heading = "", message } = tooBusy();
      const problem = { status, heading, message, advice: reload(), action: start("/") };
      return renderView(app, "error", { title: heading, nav, problem });
    };
    const bodies = await Promise.all(offered.map((language) => inLanguage(language, page)));
    const headers = { "content-type": "text/html; charset=utf-8" };
    return (request) => ({ headers, body: bodies[offered.indexOf(languageOf(request, offered))] ?? "" });
  };

/** Renders every error on a listener of pages. If the menu fails, the page comes without it. */
export function errorPages(nav: "none" | "directory", offered: Offered, { home = "/", menu }: ErrorPageOptions = {}) {
  const answer = async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const isOutage = isUnavailable(error);
    const shown = isOutage
      ? unavailable(
          t("Our database is not available at the moment. Nothing is lost. Please try again shortly."),
          2,
          error,
        )
      : toKnownError(error);
    if (shown.status >= 500) request.log.error({ err: error }, "page failed");
    // A page that could not be sent may have left headers of its own.
    for (const header of ["content-encoding", "location"]) reply.removeHeader(header);
    reply.code(shown.status).headers(shown.headers);
    const problem: Problem = {
      status: shown.status,
      heading: shown.title ?? t("That did not work"),
      message: shown.message,
      ...(isOutage && { advice: reload() }),
      action: start(home),
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
  // A request that is refused early, or whose body cannot be read, is outside the context of its language.
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    inLanguage(languageOf(request, offered), () => answer(error, request, reply));
}

/** For when the error page fails. It uses neither a view nor the request, so it cannot fail. */
const plainPage = (requestId: string): string =>
  `<!doctype html>
<html lang="${currentLanguage()}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${t("That did not work")}</title></head>
<body><h1>${t("That did not work")}</h1><p>${reload()} ${tHtml("If you ask for help, quote request <code>{requestId}</code>.", { requestId })}</p></body>
</html>
`;
