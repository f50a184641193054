import type { FastifyReply, FastifyRequest } from "fastify";
import { mapOf } from "../../http/pages/parts.ts";
import type { Web } from "../base/deps.ts";
import { localPath } from "../base/local-path.ts";
import type { Visit } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { checkinFormView, newCheckinForm } from "./checkin-form.ts";
import { pointsAround } from "./place.ts";
import { proposalsFor } from "./proposals.ts";
import { alikeTo, mappingsOf } from "./relations.ts";
import { creditsOf, mapPoints, venueCard, venueFacts } from "./view.ts";

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
    ...{ mappings, alike, proposals, credits: creditsOf(alike) },
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
