import type { FastifyReply, FastifyRequest } from "fastify";
import { type Envelope, ERROR_TYPES } from "../../contract/envelope.ts";
import { isUnavailable } from "../../db/unavailable.ts";
import { type KnownError, unavailable } from "../../errors.ts";
import { toKnownError } from "../../http/server.ts";

/** Stands on every answer, also where no hook runs because the address could not be read. */
export const ANY_ORIGIN = { "access-control-allow-origin": "*" };

/** The envelope of whatever went wrong on this host. It never repeats what was sent: the query holds credentials. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toKnownError(isUnavailable(error) ? unavailable("The database does not answer.", 5, error) : error);
  if (known.status >= 500) request.log.error({ err: error }, "request failed");
  const { status, message, title } = known;
  const meta = {
    code: status,
    errorType: errorType(known),
    errorDetail: message,
    ...(title && { errorMessage: title }),
  };
  return reply
    .code(status)
    .headers({ ...ANY_ORIGIN, ...known.headers })
    .send(envelopeOf(request, meta, known.response));
}

export function sendEnvelope(request: FastifyRequest, reply: FastifyReply, response: Envelope["response"]) {
  return reply.send(envelopeOf(request, { code: 200 }, response));
}

/** Codes of other parts of the program become the nearest `errorType` of this interface. */
function errorType({ code, status }: KnownError): string {
  if (ERROR_TYPES.has(code)) return code;
  if (code === "not_found") return "endpoint_error";
  return status >= 500 ? "server_error" : status === 400 ? "param_error" : "other";
}

function envelopeOf(request: FastifyRequest, meta: Envelope["meta"], response: Envelope["response"]): Envelope {
  // Real answers carry the tray whenever a user is known, errors too. Nothing is ever in it here.
  const tray = request.caller?.userId && [{ type: "notificationTray", item: { unreadCount: 0 } }];
  return { meta: { ...meta, requestId: request.id }, ...(tray && { notifications: tray }), response };
}
