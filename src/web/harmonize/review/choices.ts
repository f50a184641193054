import type { LatLng } from "../../../contract/parameters.ts";
import type { Venue } from "../../../contract/resources.ts";
import type { Columns } from "../../../files/columns.ts";
import { textOf } from "../../../harmonize/query/corrected.ts";
import { pointInFile } from "../../../harmonize/query/mend.ts";
import type { ReviewListing } from "../../../harmonize/review/listing.ts";
import { isMendable } from "../../../harmonize/review/mend.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { mapOf } from "../../../http/pages/parts.ts";
import { t } from "../../../language/translate.ts";
import { matchCard } from "../../venues/match-card.ts";
import { creditsOf, mapPoints } from "../../venues/view.ts";
import { venueOf } from "./candidate-cards.ts";
import type { CandidateNow } from "./candidates-now.ts";
import { MEND_PICK } from "./mend-view.ts";
import { type Queue, reviewHref } from "./place.ts";

/** @param beside venues found by words, and the middle of the listing's town, where the map is if it has nothing to show */
export function choicesOf(
  listing: Omit<ReviewListing, "candidates"> & { candidates: CandidateNow[] },
  { found, town }: { found: Venue[]; town: LatLng | undefined },
  h: Harmonization,
  queue: Queue,
) {
  const { id } = h;
  const { query, candidates, venueId } = listing;
  const [url, category] = (["url", "category"] as const).map((field) => cellOf(listing, h, field));
  const ll = query?.ll ?? query?.byAddress ?? (query ? undefined : pointInFile(listing.cells, h));
  const compared = { ...query, ll, isByAddress: !query?.ll, name: query?.name ?? "", url, category };
  const venues = [...candidates.map((each) => venueOf(each, ll)), ...found];
  // Venues found are not preselected: pressing Enter again must not decide.
  const decided = venues.findIndex((venue) => venue.id === venueId);
  const chosen = decided < 0 ? candidates.findIndex((each) => !each.isGone) : decided;
  const isWaiting = listing.outcome === "review";
  let point = 0;
  const choices = venues.map((venue, index) => {
    const card = matchCard(compared, venue, { limit: h.acceptFrom, isWaiting });
    const isFound = index >= candidates.length;
    const reasons = card.reasons.map((reason) => ({
      ...reason,
      href: index === 0 && !isFound ? filterHref(reason, queue, id) : undefined,
    }));
    const { since, isGone } = candidates[index] ?? {};
    return {
      ...card,
      reasons,
      since,
      isGone,
      id: venue.id,
      isFound,
      isChosen: index === chosen,
      number: card.point && ++point,
    };
  });
  const name = query?.byAddress ? t("Your row, by its address") : t("Your row");
  const points = [...mapPoints(choices), ...(ll ? [{ lat: ll.lat, lng: ll.lng, name, isListing: true }] : [])];
  const pick = isMendable(listing) && !listing.lockedBy && { pick: MEND_PICK };
  return {
    choices,
    credits: creditsOf(choices),
    hasRing: Boolean(ll),
    map: mapOf({ points, center: ll ?? town, ...pick }),
  };
}

export type Choice = ReturnType<typeof choicesOf>["choices"][number];

type Reason = ReturnType<typeof matchCard>["reasons"][number];

/** The queue of listings where the same reason counts. Weak reasons have none. */
function filterHref({ comparison, side, isWeak }: Reason, queue: Queue, id: string): string | undefined {
  if (!comparison || isWeak || !/^[A-Za-z]{1,40}$/.test(comparison)) return undefined;
  return reviewHref({ id }, { ...queue, reason: `${comparison}${side === "for" ? "+" : "-"}` });
}

export const cellOf = (listing: ReviewListing, h: Harmonization, field: keyof Columns): string | undefined =>
  textOf(listing, h, field) || undefined;
