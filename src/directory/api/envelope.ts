import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Envelope, ERROR_TYPES } from "../../contract/envelope.ts";
import { isUnavailable } from "../../db/unavailable.ts";
import { KnownError, unavailable } from "../../errors.ts";
import { toKnownError } from "../../http/server.ts";

/**
 * Makes every answer of the host an envelope, errors and unknown paths included. No error repeats what was sent: the
 * query holds credentials.
 */
export function registerEnvelope(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const known = toKnownError(isUnavailable(error) ? unavailable("The database does not answer.", 5, error) : error);
    if (known.status >= 500) request.log.error({ err: error }, "request failed");
    return sendError(request, reply, known);
  });
  app.setNotFoundHandler((request, reply) =>
    sendError(request, reply, new KnownError(404, "endpoint_error", "There is no endpoint at this path.")),
  );
}

export function sendEnvelope(request: FastifyRequest, reply: FastifyReply, response: Envelope["response"]) {
  return reply.send(envelopeOf(request, { code: 200 }, response));
}

function sendError(request: FastifyRequest, reply: FastifyReply, error: KnownError): FastifyReply {
  const { status, message, title } = error;
  const meta = {
    code: status,
    errorType: errorType(error),
    errorDetail: message,
    ...(title && { errorMessage: title }),
  };
  return reply
    .code(status)
    .headers(error.headers)
    .send(envelopeOf(request, meta, error.response));
}

/** The envelope for an address such as `/v2/%zz`, which no route and no handler gets to see. */
export function unreadableAddress(requestId: string): Envelope {
  const meta = { code: 400, errorType: "param_error", errorDetail: "The address of this request cannot be read." };
  return { meta: { ...meta, requestId }, response: {} };
}

/** Codes of other parts of the program become the nearest `errorType` of this interface. */
function errorType({ code, status }: KnownError): string {
  if (ERROR_TYPES.has(code)) return code;
  return status >= 500 ? "server_error" : status === 400 ? "param_error" : "other";
}

function envelopeOf(request: FastifyRequest, meta: Envelope["meta"], response: Envelope["response"]): Envelope {
  // Real answers carry the tray whenever a user is known, errors too. Nothing is ever in it here.
  const tray = request.caller?.userId && [{ type: "notificationTray", item: { unreadCount: 0 } }];
  return { meta: { ...meta, requestId: request.id }, ...(tray && { notifications: tray }), response };
}
