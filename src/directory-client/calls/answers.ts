import { Headers } from "undici";
import type { z } from "zod";
import { ERROR_TYPES, envelope, notEnabledResponse } from "../../contract/envelope.ts";
import { duplicateVenuesResponse, otherVenueResponse } from "../../contract/resources.ts";
import type { Answer } from "./call-json.ts";
import { DirectoryError } from "./errors.ts";
import { retryAfter } from "./retry-after.ts";

/** Credentials of a user or of the application (interface, "Authentication"). */
export type Auth = { token: string } | { clientId: string; clientSecret: string };

/** Returns the `response` of an answer. Throws DirectoryError if it is an error or does not fit `schema`. */
export function readAnswer<S extends z.ZodType>(schema: S, answer: Answer, auth: Auth): z.output<S> {
  const parsed = check(envelope, answer.body);
  if (answer.status >= 400) throw objection(answer, parsed, auth);
  const response = parsed && check(schema, parsed.response);
  if (!response) throw new DirectoryError("invalid_answer", undefined, { reason: "not of the interface's shape" });
  return response;
}

/** The same of an answer that is one of several in another: its status is `meta.code`. */
export function readPart<S extends z.ZodType>(schema: S, body: unknown, auth: Auth): z.output<S> {
  const code = (body as { meta?: { code?: unknown } } | null)?.meta?.code;
  const status = envelope.shape.meta.shape.code.safeParse(code).data ?? 200;
  return readAnswer(schema, { status, headers: NONE, body }, auth);
}

const NONE = new Headers();

// A deeply nested value overflows the stack.
function check<S extends z.ZodType>(schema: S, value: unknown): z.output<S> | undefined {
  try {
    return schema.safeParse(value).data;
  } catch {
    return undefined;
  }
}

function objection(answer: Answer, body: z.output<typeof envelope> | undefined, auth: Auth): DirectoryError {
  const { status } = answer;
  const type = body?.meta.errorType;
  const reason = `status ${status}, ${type && ERROR_TYPES.has(type) ? type : "no known error type"}`;
  if (status === 401 || type === "invalid_auth")
    return new DirectoryError("token" in auth ? "refused_token" : "refused_client", undefined, { reason });
  if (status === 429 || type === "rate_limit_exceeded" || type === "quota_exceeded")
    return new DirectoryError("rate_limited", undefined, { reason, retryAfter: retryAfter(answer.headers) });
  const duplicates = status === 409 ? check(duplicateVenuesResponse, body?.response) : undefined;
  if (duplicates) {
    const { candidateDuplicateVenues: candidates, ignoreDuplicatesKey: key } = duplicates;
    return new DirectoryError("duplicate", undefined, { duplicates: { candidates, key } });
  }
  const holder = status === 409 ? check(otherVenueResponse, body?.response)?.venue : undefined;
  if (holder) return new DirectoryError("conflict", undefined, { reason, holder });
  if (status >= 500) return new DirectoryError("unreachable", undefined, { reason }); // of one call in a multi
  if (status === 404) return new DirectoryError("not_found", undefined, { reason });
  const said = body?.meta.errorMessage ?? body?.meta.errorDetail;
  if (type === "not_authorized" && check(notEnabledResponse, body?.response))
    return new DirectoryError("not_enabled", showable(said, auth), { reason });
  return new DirectoryError("rejected", showable(said, auth), { reason, errorType: type });
}

// Clips the directory's message, and drops it if it repeats a secret.
function showable(text: string | undefined, auth: Auth): string | undefined {
  if (!text || Object.values(auth).some((secret) => text.includes(secret))) return undefined;
  return text.slice(0, 300);
}
