import type { Venue } from "../../contract/resources.ts";
import { lookUp } from "../../harmonize/export/mappings.ts";
import { t } from "../../language/translate.ts";
import type { Web } from "../base/deps.ts";
import type { Visit } from "../base/members.ts";
import { matchCard } from "./comparison.ts";
import { ignoreUnlessRefused } from "./place.ts";
import { pointOf } from "./view.ts";

const MOST_MAPPINGS = 20;
const MOST_ALIKE = 4;
/** Lowest score of a venue that may be the same one. */
const ALIKE = 0.2;

/** Returns the listings of the member's files that have this venue, and how many more there are. */
export async function mappingsOf(web: Web, { member }: Pick<Visit, "member">, venueId: string) {
  const { mappings } = await lookUp(web.harmonizer, member, [venueId]);
  const here = mappings.filter((mapping) => mapping.venueId === venueId && !mapping.isSuperseded);
  const items = here.slice(0, MOST_MAPPINGS).map(({ listingId, listingName, number, file }) => ({
    label: [listingId, listingName].filter(Boolean).join(" · ") || t("Listing {number}", { number }),
    href: `/harmonizations/${file.id}/review/${number}`,
    file: { name: file.name, href: `/harmonizations/${file.id}` },
  }));
  return { items, more: here.length - items.length };
}
export type VenueMappings = Awaited<ReturnType<typeof mappingsOf>>;

/** Returns other venues nearby that look like this one. */
export async function alikeTo(web: Web, { auth }: Pick<Visit, "auth">, venue: Venue) {
  const ll = pointOf(venue);
  if (!ll || !venue.name) return [];
  const { address, city, state, postalCode: zip } = venue.location ?? {};
  const { phone, twitter } = venue.contact ?? {};
  const listing = { name: venue.name, ll, address, city, state, zip, phone, twitter };
  const settings = { minScore: ALIKE, limit: MOST_ALIKE + 1 };
  const found = await web.directory.matchVenues(auth, listing, settings).catch(ignoreUnlessRefused);
  // A directory without scores returns whatever is near.
  const others = (found?.venues ?? []).filter(({ id, score }) => id !== venue.id && Number(score) >= ALIKE);
  return others.slice(0, MOST_ALIKE).map((other) => matchCard(listing, other));
}
