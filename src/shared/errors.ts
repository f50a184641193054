/**
 * An error that was foreseen. Everything a handler throws and that is not one of these answers 500 with a request id
 * and nothing else.
 *
 * `message` is always safe to show to the caller: it names what was wrong and what to do, and never quotes a secret.
 */
export class KnownError extends Error {
  /** HTTP status of the answer. */
  readonly status: number;
  /** `errorType` of the API host's envelope, `error` of the token endpoint (RFC 6749 section 5.2). */
  readonly code: string;
  /** One line above the message on an HTML page. */
  readonly title: string | undefined;
  /** Body of the envelope's `response`, for the few errors that carry one (409 of venues/add). */
  readonly response: Record<string, unknown>;
  /** What the message says beside its code, for those who keep both and not the words. */
  readonly params: Record<string, unknown> | undefined;
  /** Extra headers, such as Retry-After or Allow. */
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

/** A page that is not there, or not there for this user: both look the same. */
export const notFound = (message = "There is nothing at this address.") =>
  new KnownError(404, "not_found", message, { title: "Page not found" });

/** The database or the directory does not answer; the caller may try again. */
export const unavailable = (message: string, retryAfterSeconds = 5, cause?: unknown) =>
  new KnownError(503, "unavailable", message, {
    title: "Temporarily unavailable",
    headers: { "retry-after": String(retryAfterSeconds) },
    cause,
  });

/** A wait as it is told to people: "40 seconds", "15 minutes". */
export const waitInWords = (seconds: number): string => {
  const [amount, unit] = seconds > 90 ? [Math.ceil(seconds / 60), "minute"] : [seconds, "second"];
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
};
