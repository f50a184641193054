import type { Venue } from "../../contract/resources.ts";
import { t } from "../../language/translate.ts";
import { KnownError, waitInWords } from "../../shared/errors.ts";

/**
 * - `unreachable`: no response, a cut connection, or 5xx; whether a call had its effect is unknown
 * - `refused_token`: the user's token is wrong or revoked
 * - `refused_client`: the application's credentials are wrong
 * - `not_enabled`: only the directory's operator can allow the application this
 * - `invalid_answer`: a redirect, not JSON, too large, or not in the interface's shape
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

/** Returns whether every call with the same credentials would fail now. */
export const isHoldUp = ({ kind }: { kind: DirectoryErrorKind }): boolean => HOLD_UPS.has(kind);

const HOLD_UPS = new Set<DirectoryErrorKind>(["rate_limited", "refused_token", "refused_client", "not_enabled"]);

interface DirectoryErrorDetails {
  reason?: string;
  errorType?: string | undefined;
  retryAfter?: number;
  answered?: number;
  duplicates?: Duplicates;
  holder?: Pick<Venue, "id" | "name">;
}

export interface Duplicates {
  candidates: Venue[];
  key: string;
}

/** Its message can be shown: it contains no address and no secret. */
export class DirectoryError extends KnownError {
  readonly kind: DirectoryErrorKind;
  readonly errorType: string | undefined;
  /** Seconds, with `rate_limited`. */
  readonly retryAfter: number | undefined;
  /** Status of an answer that cannot be read. */
  readonly answered: number | undefined;
  readonly duplicates: Duplicates | undefined;
  readonly holder: Pick<Venue, "id" | "name"> | undefined;

  /** @param said replaces our message, usually with the directory's */
  constructor(kind: DirectoryErrorKind, said?: string, details: DirectoryErrorDetails = {}) {
    const shown = SHOWN[kind];
    const params = { said, wait: details.retryAfter || undefined };
    super(shown.status, kind, directoryErrorInWords(kind, params), {
      title: shown.title(),
      params,
      ...(details.retryAfter ? { headers: { "retry-after": String(details.retryAfter) } } : {}),
      ...(details.reason ? { cause: new Error(details.reason) } : {}),
    });
    this.name = "DirectoryError";
    this.kind = kind;
    this.errorType = details.errorType;
    this.retryAfter = details.retryAfter;
    this.answered = details.answered;
    this.duplicates = details.duplicates;
    this.holder = details.holder;
  }
}

/** @param wait in seconds */
export function directoryErrorInWords(
  kind: DirectoryErrorKind,
  { said, wait }: { said?: string | undefined; wait?: number | undefined } = {},
): string {
  return (
    said ?? SHOWN[kind].message() + (wait ? ` ${t("Please try again in {wait}.", { wait: waitInWords(wait) })}` : "")
  );
}

const SHOWN: Record<DirectoryErrorKind, { status: number; title: () => string; message: () => string }> = {
  unreachable: {
    status: 503,
    title: () => t("The directory does not answer"),
    message: () => t("The venue directory does not answer. Please try again in a moment."),
  },
  refused_token: {
    status: 401,
    title: () => t("Connect again"),
    message: () => t("The venue directory no longer accepts our access to your account. Please connect again."),
  },
  refused_client: {
    status: 502,
    title: () => t("The directory rejected Samespot"),
    message: () =>
      t(
        "The venue directory does not accept this server as an application. Ask the person who runs this server to check its credentials.",
      ),
  },
  not_enabled: {
    status: 502,
    title: () => t("The directory has not enabled Samespot for this"),
    message: () =>
      t(
        "The venue directory does not allow this server to do this. The person who runs this server must ask the directory's operator.",
      ),
  },
  rejected: {
    status: 400,
    title: () => t("The directory did not accept this"),
    message: () => t("The venue directory did not accept this request."),
  },
  not_found: {
    status: 404,
    title: () => t("Not found in the directory"),
    message: () => t("The venue directory does not have this. It may have been removed."),
  },
  invalid_answer: {
    status: 502,
    title: () => t("The directory's answer cannot be read"),
    message: () => t("The venue directory sent an answer that cannot be read. Please try again in a moment."),
  },
  rate_limited: {
    status: 503,
    title: () => t("Too many requests"),
    message: () => t("The venue directory asks us to slow down."),
  },
  duplicate: {
    status: 409,
    title: () => t("The venue may already exist"),
    message: () => t("The venue directory already has a venue that looks like this one."),
  },
  conflict: {
    status: 409,
    title: () => t("The id is on another venue"),
    message: () => t("The venue directory already has this row’s id on another venue. An id can be on one venue only."),
  },
};
