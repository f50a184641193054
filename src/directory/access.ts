import type { ApplicationAccess } from "../db/generated/enums.ts";
import { KnownError } from "../shared/errors.ts";

/** What an application may do (interface, "Registration rules"): nothing, log people in and read, or everything. */
export type Access = ApplicationAccess;

/** In order: each includes those before it. */
export const LEVELS = ["stopped", "reading", "enabled"] as const satisfies Access[];

export const includes = (access: Access, needed: Access): boolean => LEVELS.indexOf(access) >= LEVELS.indexOf(needed);

/** Who runs the directory, and what they have set. */
export interface Operator {
  /** User ids and handles (OPERATORS). */
  names: readonly string[];
  /** An e-mail address or a web address (OPERATOR_CONTACT). */
  contact: string | undefined;
  /** What a new application may do (NEW_APPLICATIONS). */
  newApplications: Access;
  /** The web app's client id, where the settings name one. */
  ownClient: string | undefined;
}

/** Whether OPERATORS names this user. Handles are stored in lower case. */
export const isOperator = (operator: Operator | undefined, { id, handle }: { id: string; handle: string }): boolean =>
  operator?.names.some((name) => name === id || name.toLowerCase() === handle) ?? false;

/** "the directory's operator (help@example.org)" */
export const operatorInWords = (operator: Operator | undefined): string =>
  `the directory's operator${operator?.contact ? ` (${operator.contact})` : ""}`;

/**
 * Refuses a call that the caller's application is not enabled for. `response.application.access` is ours: it tells a program
 * that every such call is refused, not only this one.
 *
 * @param askAt where the owner can ask for more
 * @throws KnownError 403 not_authorized (wire-format 3)
 */
export function requireAccess(
  access: Access,
  needed: Access,
  { operator, askAt }: { operator: Operator | undefined; askAt: string },
): void {
  if (includes(access, needed)) return;
  const ask = `Ask ${operatorInWords(operator)} to enable it; its owner can do that at ${askAt}`;
  throw new KnownError(403, "not_authorized", `${REFUSED[access]} ${ask}`, { response: { application: { access } } });
}

const REFUSED: Record<Access, string> = {
  stopped: "This application is stopped here: it may not use this directory.",
  reading:
    "This application may only read here: it is not enabled for intent=match, venues/match, venues/add, annotate and checkins/add.",
  enabled: "",
};

/**
 * For pages to which an application sends people. They are not sent back to one that is stopped: it might not understand the
 * error, and may have been stopped for what it does with people (RFC 9700 section 4.11.2 leaves out the redirect to an
 * application that is not trusted; RFC 6749 section 4.1.2.1 informs the person instead).
 *
 * @throws KnownError 403
 */
export function refuseStoppedOnPage(
  application: { name: string; access: Access },
  operator: Operator | undefined,
): void {
  if (application.access !== "stopped") return;
  const message = `The directory has stopped ${application.name}, so it cannot log you in here. It has not been given access to your account, and nothing has changed there. Ask ${operatorInWords(operator)} about it.`;
  throw new KnownError(403, "not_authorized", message, { title: "This application is stopped" });
}
