import { DirectoryError } from "../../directory-client/errors.ts";
import { KnownError } from "../../errors.ts";
import type { ReviewListing } from "../../harmonize/review-listing.ts";
import { problemOf } from "../directory-problem.ts";

/** What to show above the form; what is no more than a refused token is thrown on. */
export function troubleOf(error: unknown) {
  if (error instanceof DirectoryError || !(error instanceof KnownError) || error.status !== 409)
    return problemOf(error);
  return { status: 409, notice: { kind: "warning", heading: `${error.title}.`, message: error.message } };
}

/** Nothing of what was typed is sent meanwhile. */
export const takenBy = ({ lockedBy }: ReviewListing) =>
  lockedBy
    ? {
        kind: "warning",
        heading: `${lockedBy} has this listing just now.`,
        message: "Nobody adds what somebody else is looking at. Send the form once they are done.",
      }
    : undefined;

/** An add that was interrupted is finished by the next one. */
export const openAdd = ({ isAdding, problem }: ReviewListing) =>
  isAdding
    ? {
        kind: "warning",
        heading: "An add of this listing is under way.",
        message: "Send the form to finish it: it adds nothing twice.",
      }
    : problem?.code === "add_unknown"
      ? { kind: "warning", message: problem.message }
      : undefined;
