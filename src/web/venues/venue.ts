import type { FastifyReply, FastifyRequest } from "fastify";
import type { Venue } from "../../contract/resources.ts";
import { lookUp } from "../../harmonize/export/mappings.ts";
import { mapOf } from "../../http/pages/parts.ts";
import { t } from "../../language/translate.ts";
import { randomToken } from "../../shared/crypto.ts";
import type { Web } from "../base/deps.ts";
import { localPath } from "../base/local-path.ts";
import type { Visit } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { matchCard } from "./match-card.ts";
import { ignoreUnlessRefused, pointsAround } from "./place.ts";
import { proposalsFor } from "./proposals.ts";
import { creditsOf, mapPoints, pointOf, venueCard, venueFacts, venueHref } from "./view.ts";

export async function showVenue(web: Web, request: FastifyRequest, reply: FastifyReply, { member, auth }: Visit) {
  const { id } = request.params as { id: string };
  const venue = await web.directory.venue(auth, id);
  const card = venueCard(venue);
  const [around, mappings, alike, proposals] = await Promise.all([
    pointsAround(web, { auth }, card.point),
    mappingsOf(web, { member }, venue.id),
    alikeTo(web, { auth }, venue),
    proposalsFor(web, { auth }, venue.id),
  ]);
  return sendPage(reply, member, "venues/show", {
    title: card.name,
    searchHref: searchBefore(request, web.config.web.url),
    card,
    id: venue.id,
    facts: venueFacts(venue),
    mappings,
    alike,
    proposals,
    credits: creditsOf(alike),
    checkin: checkinFormView(venue.id, newCheckinForm()),
    map: mapOf({ points: mapPoints([card]), around: around.filter(({ href }) => href !== card.href), zoom: 16 }),
  });
}

/**
 * Returns the search that led here, from the Referer, so that a venue's address does not contain it. Ignores other
 * sites.
 */
function searchBefore({ headers: { referer = "" } }: FastifyRequest, ours: string): string {
  const path = referer.startsWith(`${ours}/venues?`) ? localPath(referer.slice(ours.length)) : "/";
  return path === "/" ? "/venues" : path;
}

const MOST_MAPPINGS = 20;
const MOST_ALIKE = 4;
/** Lowest score of a venue that may be the same one. */
const ALIKE = 0.2;

/** Returns the listings of the member's files that have this venue, and how many more there are. */
async function mappingsOf(web: Web, { member }: Pick<Visit, "member">, venueId: string) {
  const { mappings } = await lookUp(web.harmonizer, member, [venueId]);
  const here = mappings.filter((mapping) => mapping.venueId === venueId && !mapping.isSuperseded);
  const items = here.slice(0, MOST_MAPPINGS).map(({ listingId, listingName, number, file }) => ({
    label: [listingId, listingName].filter(Boolean).join(" · ") || t("Row {number}", { number }),
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

export interface CheckinForm {
  /** The form checks in once for each key. */
  key: string;
  shout: string;
  error: string | undefined;
}

export const newCheckinForm = (): CheckinForm => ({ key: randomToken(16), shout: "", error: undefined });

/** What `checkins/form` shows. */
export const checkinFormView = (venueId: string, form: CheckinForm) => ({
  action: `${venueHref(venueId)}/checkins`,
  ...form,
});
export type CheckinFormView = ReturnType<typeof checkinFormView>;
