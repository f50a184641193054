import type { z } from "zod";
import { ERROR_TYPES } from "../../contract/envelope.ts";
import { tokenErrorResponse } from "../../contract/oauth.ts";
import type { Json, Naming } from "./schemas.ts";

/** Error answers of the API host by status: when they come, with their `errorType`s (wire-format 3). */
const ERRORS: Record<string, { name: string; description: string; waits?: boolean }> = {
  400: {
    name: "BadRequest",
    description:
      "`param_error`: a parameter is missing, malformed or given twice. `invalid_auth`: no usable credentials. " +
      "`failed_geocode`, `geocode_too_big`: `near` is unknown, or too large an area.",
  },
  401: { name: "WrongToken", description: "`invalid_auth`: the `oauth_token` is invalid or was revoked." },
  403: {
    name: "Forbidden",
    description:
      "`not_authorized`: the caller may not do or see this. `rate_limit_exceeded`: the calls of the hour are used up.",
    waits: true,
  },
  409: { name: "Conflict", description: "`other`: it is there already, or an Idempotency-Key came with another call." },
  410: { name: "VersionMissing", description: "`param_error`: `v` is missing." },
  413: { name: "TooLarge", description: "`param_error`: the body is too large." },
  415: { name: "OtherContent", description: "`other`: the body is neither a form nor empty, or it is compressed." },
  429: {
    name: "TooMany",
    description:
      "`rate_limit_exceeded`: too many refused calls from this network, or its queries of the hour are used up " +
      "(reconciliation).",
    waits: true,
  },
  500: { name: "ServerError", description: "`server_error`: our fault. Quote `meta.requestId`." },
  503: { name: "Unavailable", description: "`server_error`: the database does not answer. Try again.", waits: true },
};

/** The error answers of an endpoint of the API host. `own`: schemas of `response` where a status has one. */
export function errorAnswers(naming: Naming, statuses: number[], own: Record<number, [string, z.ZodType]> = {}): Json {
  const answers = statuses.map((status) => {
    const shared = ERRORS[status];
    if (!shared) throw new RangeError(`The documentation does not know the status ${status}.`);
    const special = own[status];
    if (!special) return [status, { $ref: `#/components/responses/${shared.name}` }];
    return [status, apiAnswer(shared.description, naming.refer(...special))];
  });
  return Object.fromEntries(answers);
}

/** `components.responses` and `components.headers`. */
export function sharedAnswers(): { responses: Json; headers: Json } {
  const responses = Object.values(ERRORS).map(({ name, description, waits }) => [
    name,
    apiAnswer(description, { type: "object", maxProperties: 0 }, waits ? { ...LIMITS, ...WAIT } : LIMITS),
  ]);
  return { responses: Object.fromEntries(responses), headers: HEADERS };
}

/** An answer of the API host, in its envelope. */
export function apiAnswer(description: string, response: Json, headers: Json = LIMITS): Json {
  const schema = {
    type: "object",
    required: ["meta", "response"],
    properties: { meta: { $ref: "#/components/schemas/Meta" }, notifications: NOTIFICATIONS, response },
  };
  return { description, headers, content: { "application/json": { schema } } };
}

const NOTIFICATIONS = {
  type: "array",
  description: "With a user's token.",
  items: { $ref: "#/components/schemas/Notification" },
};

/** An error answer of the token endpoints. */
export function tokenError(naming: Naming, description: string, headers: Json = {}): Json {
  const schema = naming.refer("TokenError", tokenErrorResponse);
  return { description, headers, content: { "application/json": { schema } } };
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const LIMITS = {
  "X-RateLimit-Limit": header("RateLimitLimit"),
  "X-RateLimit-Remaining": header("RateLimitRemaining"),
};
export const WAIT = { "Retry-After": header("RetryAfter") };

const HEADERS = {
  RateLimitLimit: { description: "Calls an hour in this group of endpoints.", schema: { type: "integer" } },
  RateLimitRemaining: { description: "How many of them are left.", schema: { type: "integer" } },
  RetryAfter: { description: "Seconds to wait.", schema: { type: "integer" } },
};

/** What `meta` adds to its schema. */
export const META = {
  properties: {
    code: { type: "integer", description: "The HTTP status." },
    errorType: { type: "string", enum: [...ERROR_TYPES] },
    errorDetail: { type: "string", description: "For the developer." },
    errorMessage: { type: "string", description: "For the end user." },
    requestId: { type: "string", description: "24 hexadecimal digits." },
  },
};
