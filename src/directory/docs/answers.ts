import type { z } from "zod";
import { envelope } from "../../contract/envelope.ts";
import { ERRORS, type ErrorAnswer, type ErrorName } from "./errors.ts";
import type { Json, Naming } from "./schemas.ts";

const REQUEST = "6b5b242fbdfb44d98824e36c";

export interface OwnResponse {
  name: string;
  schema: z.ZodType;
  example: Json;
  detail: string;
}

/** `own` gives the contents of `response`, where errors have any. */
export function errorAnswers(
  naming: Naming,
  names: ErrorName[],
  own: Partial<Record<ErrorName, OwnResponse>> = {},
): Json {
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
    return [name, error.waits ? { ...answer, headers: { ...LIMITS, ...WAIT } } : answer];
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
export const WAIT = { "Retry-After": header("RetryAfter") };

const HEADERS = {
  RateLimitLimit: { description: "Calls allowed an hour in this group of endpoints.", schema: { type: "integer" } },
  RateLimitRemaining: { description: "Calls left in this hour.", schema: { type: "integer" } },
  RetryAfter: { description: "Seconds to wait before trying again.", schema: { type: "integer" } },
};
