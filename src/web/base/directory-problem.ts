import { DirectoryError } from "../../directory-client/errors.ts";
import type { Notice } from "../../http/parts.ts";

/**
 * What to show on a page that stays usable while the directory does not do its part: what was typed is kept.
 * A refused token is thrown on, because its answer is another page, and so is everything that was not foreseen.
 */
export function problemOf(error: unknown): { status: number; notice: Notice } {
  if (!(error instanceof DirectoryError) || error.kind === "refused_token") throw error;
  const kind = error.kind === "rejected" ? "danger" : "warning";
  return { status: error.status, notice: { kind, heading: `${error.title}.`, message: error.message } };
}
