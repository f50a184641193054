import type { FastifyReply, FastifyRequest } from "fastify";
import { type Envelope, ERROR_TYPES } from "../../contract/envelope.ts";
import { isUnavailable } from "../../db/unavailable.ts";
import { type Busy, tooBusy } from "../../http/in-flight.ts";
import type { Logger } from "../../http/logger.ts";
import { toKnownError } from "../../http/server.ts";
import { type KnownError, unavailable } from "../../shared/errors.ts";
import type { Caller } from "./credentials.ts";

/** Stands on every answer, also where no hook runs because the address could not be read. */
export const ANY_ORIGIN = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Path, Retry-After, X-Request-Id",
};

/** Of a call, what its envelope needs. */
interface About {
  id: string;
  caller: Caller | null;
}

/** Answers whatever went wrong on this host. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = foreseen(error, request.log);
  return reply
    .code(known.status)
    .headers({ ...ANY_ORIGIN, ...known.headers })
    .send(errorEnvelope(request, known));
}

/** Answers one call too many. */
export const busyEnvelope: Busy = ({ id }) => ({
  headers: { ...ANY_ORIGIN, "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify(errorEnvelope({ id, caller: null }, tooBusy())),
});

export function sendEnvelope(request: FastifyRequest, reply: FastifyReply, response: Envelope["response"]) {
  return reply.send(successEnvelope(request, response));
}

/** What is told of an error. Our own faults go to the log first. */
export function foreseen(error: unknown, log: Pick<Logger, "error">): KnownError {
  const known = toKnownError(isUnavailable(error) ? unavailable("The database does not answer.", 5, error) : error);
  if (known.status >= 500) log.error({ err: error }, "request failed");
  return known;
}

export const successEnvelope = (about: About, response: Envelope["response"]): Envelope =>
  envelopeOf(about, { code: 200 }, response);

/** It never repeats what was sent: the query holds credentials. */
export function errorEnvelope(about: About, known: KnownError): Envelope {
  const { status, message, title, response } = known;
  const meta = {
    code: status,
    errorType: errorType(known),
    errorDetail: message,
    ...(title && { errorMessage: title }),
  };
  return envelopeOf(about, meta, response);
}

/** Codes of other parts of the program become the nearest `errorType` of this interface. */
function errorType({ code, status }: KnownError): string {
  if (ERROR_TYPES.has(code)) return code;
  if (code === "not_found") return "endpoint_error";
  return status >= 500 ? "server_error" : status === 400 ? "param_error" : "other";
}

function envelopeOf({ id, caller }: About, meta: Envelope["meta"], response: Envelope["response"]): Envelope {
  // Real answers carry the tray whenever a user is known, errors too. Nothing is ever in it here.
  const tray = caller?.userId && [{ type: "notificationTray", item: { unreadCount: 0 } }];
  return { meta: { ...meta, requestId: id }, ...(tray && { notifications: tray }), response };
}
