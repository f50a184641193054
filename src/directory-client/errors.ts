import type { Venue } from "../contract/resources.ts";
import { KnownError, waitInWords } from "../shared/errors.ts";

/**
 * - `unreachable`: no answer in time, a cut connection, or a 5xx: it may work later; whether a call with an effect
 *   took place is unknown
 * - `refused_token`: the user's token is wrong or revoked; only a new log-in helps
 * - `refused_client`: the application's own credentials are not accepted
 * - `not_enabled`: the application may do nothing of this kind; only the directory's operator can change that
 * - `rejected`: a parameter is wrong or the caller may not do this; the message says what
 * - `not_found`: there is no such venue or endpoint
 * - `invalid_answer`: a redirect, not JSON, too large, or not of the interface's shape
 * - `rate_limited`: too many calls; `retryAfter` seconds
 * - `duplicate`: venues/add found what looks like the venue already
 * - `conflict`: annotate found the listing's id on another venue, `holder`
 */
export type DirectoryErrorKind =
  | "unreachable"
  | "refused_token"
  | "refused_client"
  | "not_enabled"
  | "rejected"
  | "not_found"
  | "invalid_answer"
  | "rate_limited"
  | "duplicate"
  | "conflict";

/**
 * Whether a refusal says nothing of what was asked: no other call in the same name would fare better now, and the same one
 * may succeed at another time, or after another log-in.
 */
export const isHoldUp = ({ kind }: { kind: DirectoryErrorKind }): boolean => HOLD_UPS.has(kind);

const HOLD_UPS = new Set<DirectoryErrorKind>(["rate_limited", "refused_token", "refused_client", "not_enabled"]);

interface DirectoryErrorDetails {
  /** Why, for the log only; never an address and never a secret. */
  reason?: string;
  errorType?: string | undefined;
  retryAfter?: number;
  duplicates?: Duplicates;
  holder?: Pick<Venue, "id" | "name">;
}

/** What venues/add found instead of adding, and the key that adds all the same. */
export interface Duplicates {
  candidates: Venue[];
  key: string;
}

/** A call of a directory that did not succeed. The message can be shown; it holds neither address nor secret. */
export class DirectoryError extends KnownError {
  readonly kind: DirectoryErrorKind;
  /** The interface's, with `rejected`. */
  readonly errorType: string | undefined;
  /** Seconds, with `rate_limited`. */
  readonly retryAfter: number | undefined;
  readonly duplicates: Duplicates | undefined;
  /** The venue that has the listing's id already, with `conflict`. */
  readonly holder: Pick<Venue, "id" | "name"> | undefined;

  /** @param said what to tell in place of our own words, mostly the directory's */
  constructor(kind: DirectoryErrorKind, said?: string, details: DirectoryErrorDetails = {}) {
    const shown = SHOWN[kind];
    const params = { said, wait: details.retryAfter || undefined };
    super(shown.status, kind, directoryErrorInWords(kind, params), {
      ...{ title: shown.title, params },
      ...(details.retryAfter ? { headers: { "retry-after": String(details.retryAfter) } } : {}),
      ...(details.reason ? { cause: new Error(details.reason) } : {}),
    });
    this.name = "DirectoryError";
    this.kind = kind;
    this.errorType = details.errorType;
    this.retryAfter = details.retryAfter;
    this.duplicates = details.duplicates;
    this.holder = details.holder;
  }
}

/** What a directory's refusal is called. `wait` in seconds. */
export function directoryErrorInWords(
  kind: DirectoryErrorKind,
  { said, wait }: { said?: string | undefined; wait?: number | undefined } = {},
): string {
  return said ?? SHOWN[kind].message + (wait ? ` Please try again in ${waitInWords(wait)}.` : "");
}

const SHOWN: Record<DirectoryErrorKind, { status: number; title: string; message: string }> = {
  unreachable: {
    status: 503,
    title: "The directory does not answer",
    message: "The venue directory does not answer just now. Please try again in a moment.",
  },
  refused_token: {
    status: 401,
    title: "Connect again",
    message: "The venue directory no longer accepts our access to your account. Please connect again.",
  },
  refused_client: {
    status: 502,
    title: "The directory refused Samespot",
    message:
      "The venue directory does not accept this server as an application. The person who runs this server has to look at that.",
  },
  not_enabled: {
    status: 502,
    title: "The directory has not enabled Samespot for this",
    message:
      "The venue directory does not let this server do this. The person who runs this server has to ask the directory's operator.",
  },
  rejected: {
    status: 400,
    title: "The directory did not accept this",
    message: "The venue directory did not accept this request.",
  },
  not_found: {
    status: 404,
    title: "Not found in the directory",
    message: "The venue directory has nothing under this name. It may have been removed.",
  },
  invalid_answer: {
    status: 502,
    title: "The directory's answer cannot be read",
    message: "The venue directory sent an answer that cannot be read. Please try again in a moment.",
  },
  rate_limited: {
    status: 503,
    title: "Too many requests",
    message: "The venue directory asks us to slow down.",
  },
  duplicate: {
    status: 409,
    title: "The venue may be there already",
    message: "The venue directory already has a venue that looks like this one.",
  },
  conflict: {
    status: 409,
    title: "The listing is on another venue",
    message: "The venue directory has this listing's id on another venue already. One listing is one venue.",
  },
};
