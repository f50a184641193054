import type { LatLng } from "../../../contract/parameters.ts";
import type { Venue } from "../../../contract/resources.ts";
import type { Listing } from "../../../directory-client/client.ts";
import type { Candidate } from "../../../harmonize/run/rows.ts";
import { distanceBetween } from "../../../matching/distance.ts";
import { matchCard } from "../../venues/match-card.ts";
import { creditsOf, mapPoints } from "../../venues/view.ts";

export function cardsOf(listing: Listing, venues: Venue[]) {
  const cards = venues.map((venue) => ({ id: venue.id, card: matchCard(listing, venue) }));
  const shown = cards.map(({ card }) => card);
  return { cards, points: mapPoints(shown), credits: creditsOf(shown) };
}

/** A candidate in the form of the directory's answer. */
export function venueOf(
  { lat, lng, zip, phone, category, credit, isByAddress, ...rest }: Candidate,
  ll: LatLng | undefined,
): Venue {
  const { id, name, url, score, evidence, ...street } = rest;
  const distance = ll && Math.round(distanceBetween(ll, { lat, lng }));
  return {
    id,
    name,
    url,
    score,
    evidence,
    location: { ...street, postalCode: zip, lat, lng, distance },
    contact: { phone },
    ...(credit !== undefined && { source: { attribution: credit } }),
    ...(isByAddress && { positionByAddress: true }),
    categories: category ? [{ id: "", name: category, pluralName: category, shortName: category }] : [],
  };
}
