import type { FastifyReply, FastifyRequest } from "fastify";
import { type Envelope, ERROR_TYPES } from "../../contract/envelope.ts";
import { isUnavailable } from "../../db/unavailable.ts";
import { type Busy, tooBusy } from "../../http/in-flight.ts";
import type { Logger } from "../../http/logger.ts";
import { toKnownError } from "../../http/server.ts";
import { randomId, sha256 } from "../../shared/crypto.ts";
import { KnownError, unavailable } from "../../shared/errors.ts";
import type { Outcome } from "../idempotency.ts";
import type { Caller } from "./credentials.ts";

/** Added to every response, including those for malformed URLs, where no hook runs. */
export const ANY_ORIGIN = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Path, Retry-After, X-Request-Id",
};

interface About {
  id: string;
  caller: Caller | null;
}

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = foreseen(error, request.log);
  return reply
    .code(known.status)
    .headers({ ...ANY_ORIGIN, ...known.headers })
    .send(errorEnvelope(request, known));
}

export const busyEnvelope: Busy = ({ id }) => ({
  headers: { ...ANY_ORIGIN, "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify(errorEnvelope({ id, caller: null }, tooBusy())),
});

export function sendEnvelope(request: FastifyRequest, reply: FastifyReply, response: Envelope["response"]) {
  return reply.send(successEnvelope(request, response));
}

/** What GET would send, but for what only its work can tell. The parameters have been checked. */
export const sendHead = (reply: FastifyReply, _checked: unknown) =>
  reply.type("application/json; charset=utf-8").send();

/** Clients that keep the answer may ask with If-None-Match whether it is still the same. The envelope around it never is. */
export function sendConstant(request: FastifyRequest, reply: FastifyReply, response: Envelope["response"]) {
  const etag =
    etags.get(response) ??
    `W/"${Buffer.from(sha256(JSON.stringify(response)))
      .toString("base64url")
      .slice(0, 22)}"`;
  etags.set(response, etag);
  reply.header("etag", etag);
  const known = request.headers["if-none-match"]?.split(",").map((each) => each.trim()) ?? [];
  return known.includes(etag) || known.includes("*") ? reply.code(304).send() : sendEnvelope(request, reply, response);
}

const etags = new WeakMap<object, string>();

/** Returns the error to send, and logs server errors. */
export function foreseen(error: unknown, log: Pick<Logger, "error">): KnownError {
  const known = toKnownError(isUnavailable(error) ? unavailable("The database is not responding.", 5, error) : error);
  if (known.status >= 500) log.error({ err: error }, "request failed");
  return known;
}

/** Returns the envelope of one call of several in a request, with an id of its own. Logs errors that are not known. */
export function envelopeOfOne(outcome: Outcome<Envelope["response"]>, caller: Caller, log: Logger): Envelope {
  const about = { id: randomId(), caller };
  if ("done" in outcome) return successEnvelope(about, outcome.done);
  const { error } = outcome;
  return errorEnvelope(about, error instanceof KnownError ? error : foreseen(error, log.child({ request: about.id })));
}

export const successEnvelope = (about: About, response: Envelope["response"]): Envelope =>
  envelopeOf(about, { code: 200 }, response);

/** Never repeats the request, because the query contains credentials. */
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

function errorType({ code, status }: KnownError): string {
  if (ERROR_TYPES.has(code)) return code;
  if (code === "not_found") return "endpoint_error";
  return status >= 500 ? "server_error" : status === 400 ? "param_error" : "other";
}

function envelopeOf({ id, caller }: About, meta: Envelope["meta"], response: Envelope["response"]): Envelope {
  // The original API sent this for every known user, with errors too. Here it is always empty.
  const tray = caller?.userId && [{ type: "notificationTray", item: { unreadCount: 0 } }];
  return { meta: { ...meta, requestId: id }, ...(tray && { notifications: tray }), response };
}
