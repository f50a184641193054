import type { z } from "zod";
import { tokenErrorResponse } from "../../contract/oauth.ts";
import { WAIT } from "./answers.ts";
import type { Json, Naming } from "./schemas.ts";

export const answer = (description: string, schema: Json, example: Json): Json => ({
  description,
  content: { "application/json": { schema, example } },
});

export const temporary = (naming: Naming): Json => ({
  429: tokenError(naming, "rate_limit_exceeded", "Too many wrong secrets from this network.", WAIT),
  500: tokenError(naming, "server_error", "Server error."),
  503: tokenError(naming, "unavailable", "The database is not responding. Try again.", WAIT),
});

/** Describes an error response; `error` is the code in its example. */
export function tokenError(
  naming: Naming,
  error: z.output<typeof tokenErrorResponse>["error"],
  description: string,
  headers: Json = {},
): Json {
  const example = { error, error_description: description };
  return { ...answer(description, naming.refer("TokenError", tokenErrorResponse), example), headers };
}

export const CHALLENGE = { "WWW-Authenticate": { schema: { type: "string" } } };
