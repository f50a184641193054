import type { FastifyReply, FastifyRequest } from "fastify";
import { isUnavailable } from "../db/unavailable.ts";
import { unavailable } from "../errors.ts";
import { toKnownError } from "./server.ts";

const START = { href: "/", label: "Go to the start page" };

/**
 * Answers all that goes wrong on a listener of pages with one error page: what happened, what to do, and the request id
 * that finds it in the log.
 *
 * @param action where to go from there
 */
export function errorPages(nav: "none" | "directory", action = START) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const shown = isUnavailable(error)
      ? unavailable("Our database does not answer just now. Nothing is lost: please try again in a moment.", 2, error)
      : toKnownError(error);
    if (shown.status >= 500) request.log.error({ err: error }, "page failed");
    reply.code(shown.status).headers(shown.headers);
    const problem = {
      status: shown.status,
      heading: shown.title ?? "That did not work",
      message: shown.message,
      action,
      requestId: request.id,
    };
    // Not reply.view: to an address that cannot be read Fastify answers with a reply that has nothing of ours.
    const page = await reply.server.view("error", { title: problem.heading, nav, problem }, { layout: "layout" });
    return reply.type("text/html; charset=utf-8").send(page);
  };
}
