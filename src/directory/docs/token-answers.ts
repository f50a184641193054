import type { z } from "zod";
import { tokenErrorResponse } from "../../contract/oauth.ts";
import { WAIT } from "./answers.ts";
import type { Json, Naming } from "./schemas.ts";

export const answer = (description: string, schema: Json, example: Json): Json => ({
  description,
  content: { "application/json": { schema, example } },
});

/** What any of the token endpoints may answer for a while. */
export const temporary = (naming: Naming): Json => ({
  429: tokenError(naming, "rate_limit_exceeded", "Too many wrong secrets from this network.", WAIT),
  500: tokenError(naming, "server_error", "Our fault."),
  503: tokenError(naming, "unavailable", "The database does not answer. Try again.", WAIT),
});

/** An error answer of the token endpoints; `error` is the one of its example. */
export function tokenError(
  naming: Naming,
  error: z.output<typeof tokenErrorResponse>["error"],
  description: string,
  headers: Json = {},
): Json {
  const example = { error, error_description: description };
  return { ...answer(description, naming.refer("TokenError", tokenErrorResponse), example), headers };
}

/** A header of 401. */
export const CHALLENGE = { "WWW-Authenticate": { schema: { type: "string" } } };
