import type { LatLng } from "../../contract/parameters.ts";
import type { Venue } from "../../contract/resources.ts";
import type { Auth } from "../../directory-client/calls/answers.ts";
import { type DirectoryError, isHoldUp } from "../../directory-client/calls/errors.ts";
import { storable } from "../../shared/storable.ts";
import type { Harmonizer } from "./deps.ts";
import { noteFound } from "./gone-venues.ts";

/** What the directory has under an id. `id` is another if the venue was merged into that one. */
export type VenueState =
  | { is: "open" | "closed"; id: string; name: string; ll: LatLng | null; credit: string | null }
  | { is: "gone" | "unreadable"; id?: undefined; name?: undefined; credit?: undefined };

/** Looks up what became of venues, and notes those that the directory has. Those without an answer are missing in `found`; `failure` is why. */
export async function lookUpVenues(
  deps: Pick<Harmonizer, "directory" | "pool" | "directoryUrl">,
  auth: Auth,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<{ found: Map<string, VenueState>; failure: DirectoryError | undefined }> {
  const outcomes = await deps.directory.venues(auth, ids, { signal });
  const found = new Map<string, VenueState>();
  let failure: DirectoryError | undefined;
  for (const [at, id] of ids.entries()) {
    const outcome = outcomes[at];
    if (!outcome) continue;
    if ("venue" in outcome) found.set(id, stateOf(outcome.venue));
    else if (outcome.error.kind === "not_found") found.set(id, { is: "gone" });
    else if (isHoldUp(outcome.error) || outcome.error.kind === "unreachable") failure ??= outcome.error;
    else found.set(id, { is: "unreadable" });
  }
  await noteFound(
    deps,
    [...found].flatMap(([id, { is }]) => (is === "open" || is === "closed" ? [id] : [])),
  );
  return { found, failure };
}

function stateOf({ id, name, location: { lat, lng } = {}, closed, source }: Venue): VenueState {
  const ll = lat === undefined || lng === undefined ? null : { lat, lng };
  const credit = source ? storable(source.attribution) : null;
  return { is: closed ? "closed" : "open", id: storable(id), name: storable(name), ll, credit };
}
