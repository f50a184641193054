import type { FastifyReply, FastifyRequest } from "fastify";
import { isUnavailable } from "../../db/unavailable.ts";
import { toKnownError } from "../../http/server.ts";
import { KnownError, unavailable } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { API } from "./endpoint.ts";

/** Answers an error as RFC 9457 says. */
export function answerProblem(web: Pick<Web, "config">, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = isUnavailable(error)
    ? unavailable("The database is not available at the moment.", 2, error)
    : knownTo(error);
  if (known.status >= 500) request.log.error({ err: error }, "a call of the API failed");
  return reply
    .code(known.status)
    .headers(known.headers)
    .type("application/problem+json")
    .send(JSON.stringify(problemOf(web, known, request.id)));
}

/** Those of Fastify speak of forms. */
function knownTo(error: unknown): KnownError {
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 0;
  const message = error instanceof KnownError ? undefined : OF_FASTIFY[status];
  return message ? new KnownError(status, "bad_request", message, { cause: error }) : toKnownError(error);
}

const OF_FASTIFY: Record<number, string> = {
  400: "The body of this request is not JSON.",
  413: "The body of this request is too large.",
  415: "Send the body as application/json.",
};

export function problemOf(
  { config }: Pick<Web, "config">,
  { status, code, title, message, response }: KnownError,
  requestId: string,
) {
  return {
    type: `${config.web.url}${API}#error-${code}`,
    title: title || TITLES[status] || "The call failed",
    status,
    detail: message,
    code,
    ...(response.earlier_attempt === true && { earlier_attempt: true }),
    request_id: requestId,
  };
}

const TITLES: Record<number, string> = {
  400: "Something in the call is wrong",
  401: "No valid token",
  403: "Not allowed with this token",
  404: "Not found",
  405: "Method not allowed",
  409: "Not possible now",
  422: "Idempotency-Key was used for another call",
  429: "Too many calls",
};
