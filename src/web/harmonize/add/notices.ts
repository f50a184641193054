import { formatLl, type LatLng } from "../../../contract/parameters.ts";
import type { Auth } from "../../../directory-client/answers.ts";
import { DirectoryError } from "../../../directory-client/errors.ts";
import { createPlaceCheck } from "../../../harmonize/positions/place-check.ts";
import type { ReviewListing } from "../../../harmonize/review/listing.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { isOpen } from "../../../harmonize/run/positions.ts";
import type { Notice } from "../../../http/parts.ts";
import { KnownError } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import { problemOf } from "../../base/directory-problem.ts";

/** What to show above the form; what is no more than a refused token is thrown on. */
export function troubleOf(error: unknown): { status: number; notice: Notice } {
  if (error instanceof DirectoryError || !(error instanceof KnownError) || error.status !== 409)
    return problemOf(error);
  return { status: 409, notice: { kind: "warning", heading: `${error.title}.`, message: error.message } };
}

/** Nothing of what was typed is sent meanwhile. */
export const takenBy = ({ lockedBy }: ReviewListing): Notice | undefined =>
  lockedBy
    ? {
        kind: "warning",
        heading: `${lockedBy} has this listing just now.`,
        message: "Nobody adds what somebody else is looking at. Send the form once they are done.",
      }
    : undefined;

/** An add that was interrupted is finished by the next one. */
export const openAdd = ({ isAdding, problem }: ReviewListing): Notice | undefined =>
  isAdding
    ? {
        kind: "warning",
        heading: "An add of this listing is under way.",
        message: "Send the form to finish it: it adds nothing twice.",
      }
    : problem?.code === "add_unknown"
      ? { kind: "warning", message: problem.message }
      : undefined;

/**
 * Whether the position is one to look at before anything is added there (attacks F30).
 *
 * @param placed the position that the form says somebody was asked about
 */
export async function doubtOf(
  { directory }: Pick<Web, "directory">,
  { h, listing, auth }: { h: Harmonization; listing: ReviewListing; auth: Auth },
  ll: LatLng,
  placed: string,
): Promise<Notice | undefined> {
  if (placed === formatLl(ll)) return undefined;
  const heading = "Is this the right position?";
  const again = "Send the form once more to add it there, or choose another point.";
  const misplaced = await createPlaceCheck({ directory, auth }, h)(listing.cells, ll);
  if (misplaced) return { kind: "warning", heading, message: `${misplaced.message} ${again}` };
  const isOfFile = listing.query?.ll?.lat === ll.lat && listing.query.ll.lng === ll.lng;
  const message = `The positions of this file look wrong, and nobody has said yet that they are right. ${again}`;
  return isOfFile && isOpen(h.positions) ? { kind: "warning", heading, message } : undefined;
}
