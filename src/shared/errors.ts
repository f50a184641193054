import { t } from "../language/translate.ts";

/** A foreseen error; any other becomes a 500. `message` may be shown to the caller and never quotes a secret. */
export class KnownError extends Error {
  readonly status: number;
  /** `errorType` of the API's envelope, `error` of the token endpoint (RFC 6749 section 5.2). */
  readonly code: string;
  readonly title: string | undefined;
  /** `response` of the envelope, for a few errors such as the 409 of venues/add. */
  readonly response: Record<string, unknown>;
  /** Parameters of the message, for callers that store code and parameters. */
  readonly params: Record<string, unknown> | undefined;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, more: KnownErrorDetails = {}) {
    super(message, { cause: more.cause });
    this.name = "KnownError";
    this.status = status;
    this.code = code;
    this.title = more.title;
    this.response = more.response ?? {};
    this.params = more.params;
    this.headers = more.headers ?? {};
  }
}

interface KnownErrorDetails {
  title?: string;
  response?: Record<string, unknown>;
  params?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** What the caller sent, or the user chose, cannot be used. */
export const badRequest = (message: string) => new KnownError(400, "param_error", message);

/** The same for a missing page and one that this user may not see. */
export const notFound = (message = t("We can’t find that page.")) =>
  new KnownError(404, "not_found", message, { title: t("Page not found") });

export const unavailable = (message: string, retryAfterSeconds = 5, cause?: unknown) =>
  new KnownError(503, "unavailable", message, {
    title: t("Temporarily unavailable"),
    headers: { "retry-after": String(retryAfterSeconds) },
    cause,
  });

/** For what waited in vain for the changes of others. */
export const changedByOthers = (cause?: unknown) =>
  unavailable(
    t("Somebody else is changing the same data right now, so your change was not made. Please try again shortly."),
    2,
    cause,
  );

/** Words a waiting time: "40 seconds", "15 minutes". */
export const waitInWords = (seconds: number): string =>
  seconds > 90
    ? t("{minutes, plural, one {# minute} other {# minutes}}", { minutes: Math.ceil(seconds / 60) })
    : t("{seconds, plural, one {# second} other {# seconds}}", { seconds });
