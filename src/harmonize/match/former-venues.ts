import type { Venue } from "../../contract/resources.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import type { DirectoryError } from "../../directory-client/calls/errors.ts";
import type { FoundVenues } from "../../directory-client/client.ts";
import { compareFields } from "../../matching/fields.ts";
import { type Former, toCandidate } from "../run/candidates.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Query, Was } from "../run/rows.ts";

/** A listing that has changed since it was decided, and what the directory finds for it now. */
export interface Changed {
  was: Was;
  query: Query;
  found: FoundVenues;
}

/**
 * Finds the venue that each changed listing had: among those found for it now, or else by its id, wherever it is. Returns undefined for
 * the other listings, and an error where the directory did not say.
 */
export async function askFormers(
  { directory }: Pick<Harmonizer, "directory">,
  auth: Auth,
  changed: readonly (Changed | undefined)[],
  signal?: AbortSignal,
): Promise<(Former | { error: DirectoryError } | undefined)[]> {
  const isFound = ({ was, found }: Changed) => found.venues.some(({ id }) => id === was.venueId);
  const ids = changed.flatMap((each) => (each?.was.venueId && !isFound(each) ? [each.was.venueId] : []));
  const outcomes = ids.length > 0 ? await directory.venues(auth, ids, { signal }) : [];
  const asked = new Map(ids.map((id, at) => [id, outcomes[at]]));
  return changed.map((each) => {
    if (!each) return undefined;
    const { was, query, found } = each;
    const outcome = was.venueId === undefined ? undefined : asked.get(was.venueId);
    if (outcome && "error" in outcome) return outcome.error.kind === "not_found" ? { venue: undefined } : outcome;
    const id = outcome?.venue.id ?? was.venueId;
    const venue = found.venues.find((venue) => venue.id === id) ?? (outcome && compared(query, outcome.venue));
    return { venue };
  });
}

/** With the evidence of the fields: the directory has not compared them. */
function compared(query: Query, venue: Venue): Venue {
  const candidate = toCandidate(venue);
  return candidate
    ? { ...venue, evidence: compareFields(query, candidate).evidence.map((each) => ({ ...each })) }
    : venue;
}
