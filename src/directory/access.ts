import type { ApplicationAccess } from "../db/generated/enums.ts";
import { t } from "../language/translate.ts";
import { KnownError } from "../shared/errors.ts";

/** An application's access (interface, "Registration rules"): nothing, log-in and reading, or everything. */
export type Access = ApplicationAccess;

/** Ordered: each level includes those before it. */
export const LEVELS = ["stopped", "reading", "enabled"] as const satisfies Access[];

export const includes = (access: Access, needed: Access): boolean => LEVELS.indexOf(access) >= LEVELS.indexOf(needed);

export interface Operator {
  names: readonly string[];
  /** An e-mail address or URL (OPERATOR_CONTACT). */
  contact: string | undefined;
  newApplications: Access;
  /** Whose new venues wait for approval: nobody's by default. */
  holdNewVenues?: "off" | "unproven" | "all";
  ownClient: string | undefined;
}

/** Handles are stored in lower case. */
export const isOperator = (operator: Operator | undefined, { id, handle }: { id: string; handle: string }): boolean =>
  operator?.names.some((name) => name === id || name.toLowerCase() === handle) ?? false;

export const operatorInWords = (operator: Operator | undefined): string =>
  operator?.contact
    ? t("the directory's operator ({contact})", { contact: operator.contact })
    : t("the directory's operator");

/**
 * Throws KnownError 403 not_authorized (wire-format 3). `askAt` is the page where the owner can request access.
 * `response.application.access` is ours: it tells a program that every call of this kind will be rejected.
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
  stopped: "This application is stopped: it may not use this directory.",
  reading:
    "This application may only read: it is not enabled for intent=match, venues/match, venues/add, delete, edit, propose, withdraw, merge, revert, annotate, and checkins/add, edit and delete.",
  enabled: "",
};

/**
 * Throws KnownError 403. A stopped application gets no redirect, which it might misuse (RFC 9700 section 4.11.2); the
 * page informs the person instead (RFC 6749 section 4.1.2.1).
 */
export function refuseStoppedOnPage(
  application: { name: string; access: Access },
  operator: Operator | undefined,
): void {
  if (application.access !== "stopped") return;
  const message = t(
    "The directory has stopped {name}, so it cannot log you in here. It has not been given access to your account, and nothing has changed there. Ask {operator} about it.",
    { name: application.name, operator: operatorInWords(operator) },
  );
  throw new KnownError(403, "not_authorized", message, { title: t("This application is stopped") });
}
