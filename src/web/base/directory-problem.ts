import { DirectoryError } from "../../directory-client/calls/errors.ts";
import type { Notice } from "../../http/pages/parts.ts";

/**
 * Returns the notice for a page that stays usable, with its form, when the directory fails.
 *
 * @throws the error itself if it is unexpected or a refused token, which has its own page
 */
export function problemOf(error: unknown): { status: number; notice: Notice } {
  if (!(error instanceof DirectoryError) || error.kind === "refused_token") throw error;
  const kind = error.kind === "rejected" ? "danger" : "warning";
  return { status: error.status, notice: { kind, heading: `${error.title}.`, message: error.message } };
}
