import { envelope } from "../../contract/envelope.ts";
import type { Json } from "../../http/json-schema.ts";
import type { Conflict } from "../endpoint/declaration.ts";
import type { Naming } from "./schemas.ts";

const REQUEST = "6b5b242fbdfb44d98824e36c";

/** `own` gives the contents of `response`, where errors have any. */
export function errorAnswers(naming: Naming, names: ErrorName[], own: Partial<Record<ErrorName, Conflict>> = {}): Json {
  const answers = names.map((name) => {
    const { status, description } = ERRORS[name];
    const special = own[name];
    if (!special) return [status, { $ref: `#/components/responses/${name}` }];
    const response = naming.refer(special.name, special.schema);
    const example = { ...exampleOf({ ...ERRORS[name], detail: special.detail }), response: special.example };
    return [status, inEnvelope(description, { meta: "Meta", response, example })];
  });
  return Object.fromEntries(answers);
}

export function sharedAnswers(): { responses: Json; headers: Json } {
  const responses = Object.entries<ErrorAnswer>(ERRORS).map(([name, error]) => {
    const schema = { type: "object", maxProperties: 0 };
    const answer = inEnvelope(error.description, { meta: "Meta", response: schema, example: exampleOf(error) });
    return [name, error.waits ? { ...answer, headers: { ...LIMITS, ...RETRY_AFTER } } : answer];
  });
  return { responses: Object.fromEntries(responses), headers: HEADERS };
}

function exampleOf({ status, description, detail }: ErrorAnswer): Json {
  const [, errorType] = /`(\w+)`:/.exec(description) ?? [];
  return { meta: { code: status, errorType, errorDetail: detail, requestId: REQUEST }, response: {} };
}

/** `tray` adds a user's notifications. */
export function apiAnswer(response: Json, example: Json, tray: boolean): Json {
  const notifications = tray && { notifications: [{ type: "notificationTray", item: { unreadCount: 0 } }] };
  const whole = { meta: { code: 200, requestId: REQUEST }, ...notifications, response: example };
  return inEnvelope("Success.", { meta: "SuccessMeta", response, example: whole });
}

/** OpenAPI 3.1 knows no lines, so it is a text; `line` is the schema of each. */
export const ndjson = (line: Json, example: readonly object[]): Json => ({
  "application/x-ndjson": {
    schema: { type: "string", description: "JSON objects, one on each line.", "x-line": line },
    example: example.map((each) => `${JSON.stringify(each)}\n`).join(""),
  },
});

/** The answer to lines: for each of them, the envelope that the call alone would get. */
export const answerByLine = (naming: Naming, example: Json): Json => ({
  description: "The answers, in the order of the lines, errors too. Fewer answers than lines: the connection was cut.",
  headers: LIMITS,
  content: ndjson(naming.refer("Envelope", envelope), [{ meta: { code: 200, requestId: REQUEST }, response: example }]),
});

function inEnvelope(
  description: string,
  { meta, response, example }: { meta: "Meta" | "SuccessMeta"; response: Json; example: Json },
) {
  const schema = {
    type: "object",
    required: ["meta", "response"],
    properties: { meta: { $ref: `#/components/schemas/${meta}` }, notifications: NOTIFICATIONS, response },
  };
  return {
    description,
    headers: LIMITS,
    content: { "application/json": { schema, example } },
  };
}

const NOTIFICATIONS = {
  type: "array",
  description: "Only with a user's token.",
  items: { $ref: "#/components/schemas/Notification" },
};

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const LIMITS = {
  "X-RateLimit-Limit": header("RateLimitLimit"),
  "X-RateLimit-Remaining": header("RateLimitRemaining"),
};
export const RETRY_AFTER = { "Retry-After": header("RetryAfter") };

const HEADERS = {
  RateLimitLimit: { description: "Calls allowed an hour in this group of endpoints.", schema: { type: "integer" } },
  RateLimitRemaining: { description: "Calls left in this hour.", schema: { type: "integer" } },
  RetryAfter: { description: "Seconds to wait before trying again.", schema: { type: "integer" } },
};

interface ErrorAnswer {
  status: number;
  description: string;
  /** Example `errorDetail` for the first `errorType` in the description. */
  detail: string;
  /** Whether it has a Retry-After header. */
  waits?: boolean;
}

const BAD_REQUEST =
  "`param_error`: a parameter is missing, malformed or given twice. `invalid_auth`: credentials are missing, incomplete or wrong, contradict each other, or are not a user's where one is needed.";

const ERRORS = {
  BadRequest: {
    status: 400,
    detail: "v must be a date in the format YYYYMMDD.",
    description: BAD_REQUEST,
  },
  BadSearch: {
    status: 400,
    detail: "send ll or near; or intent=browse with sw and ne; or intent=global with query.",
    description: `${BAD_REQUEST} \`failed_geocode\`: \`near\` is unknown. \`geocode_too_big\`: the region is too large.`,
  },
  BadQuery: {
    status: 400,
    detail: "queries is not JSON: check its quotes, commas and brackets.",
    description: "`param_error`: the query is malformed or given twice.",
  },
  WrongToken: {
    status: 401,
    detail: "The oauth_token is invalid or was revoked.",
    description: "`invalid_auth`: the `oauth_token` is invalid or was revoked.",
  },
  WrongCredentials: {
    status: 401,
    detail: "The oauth_token is invalid or was revoked. Or send no credentials: this service is open.",
    description: "`invalid_auth`: the credentials are invalid.",
  },
  Forbidden: {
    status: 403,
    detail: "This providerId is not reserved for the application.",
    description:
      "`not_authorized`: the caller is not allowed to do or see this, or its application is not enabled for it. " +
      "`rate_limit_exceeded`: no calls are left in this hour, or fewer than this call counts as.",
    waits: true,
  },
  NotFound: {
    status: 404,
    detail: "You have no such check-in.",
    description: "`endpoint_error`: there is no such endpoint, or nothing of the user's with this id.",
  },
  Conflict: {
    status: 409,
    detail: "Found duplicates.",
    description:
      "`other`: the venue or link already exists, the venue may not be deleted or merged, or the Idempotency-Key was used with another call.",
  },
  VersionMissing: {
    status: 410,
    detail: "v is required: an API version date, YYYYMMDD.",
    description: "`param_error`: `v` is missing.",
  },
  TooLarge: {
    status: 413,
    detail: "A form may have at most 100 fields and 64 KB in total.",
    description: "`other`: the body has more than 64 KB or 100 fields.",
  },
  TooManyListings: {
    status: 413,
    detail: "A call to this endpoint may have at most 1024 KB. Send less at once.",
    description: "`other`: the body has more than 1 MB.",
  },
  TooManyQueries: {
    status: 413,
    detail: "A call may have at most 50 queries. Send the rest in another call.",
    description: "`param_error`: the call has more than 50 queries or 1 MB.",
  },
  OtherContent: {
    status: 415,
    detail: "Send the body uncompressed, without Content-Encoding.",
    description: "`other`: the body is compressed.",
  },
  TooMany: {
    status: 429,
    detail: "Too many refused calls from your network. Try again in 5 minutes.",
    description:
      "`rate_limit_exceeded`: too many refused calls from this network, or no queries are left in this hour " +
      "(reconciliation).",
    waits: true,
  },
  ServerError: {
    status: 500,
    detail: "Something went wrong on our side. Please try again.",
    description: "`server_error`: a server error. Include `meta.requestId` when you report it.",
  },
  Unavailable: {
    status: 503,
    detail: "The database is not responding.",
    description: "`server_error`: the database is not responding. Try again.",
    waits: true,
  },
} satisfies Record<string, ErrorAnswer>;

export type ErrorName = keyof typeof ERRORS;
