import type { FastifyReply, FastifyRequest } from "fastify";
import { mapOf, type Notice } from "../../http/parts.ts";
import type { Web } from "../base/deps.ts";
import { localPath } from "../base/local-path.ts";
import type { Visit } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { pointsAround } from "./place.ts";
import { mapPoints, venueCard, venueFacts } from "./view.ts";

declare module "fastify" {
  interface Session {
    /** Id of the venue that was just added: its page says so, once. */
    added?: string | undefined;
  }
}

/** `/venues/:id`: what the directory knows about one venue. */
export async function showVenue(web: Web, request: FastifyRequest, reply: FastifyReply, { member, auth }: Visit) {
  const { id } = request.params as { id: string };
  const venue = await web.directory.venue(auth, id);
  const card = venueCard(venue);
  const around = await pointsAround(web, { auth }, card.point);
  const isNew = request.session.added === venue.id;
  if (isNew) request.session.added = undefined;
  const added: Notice = {
    kind: "success",
    heading: "Added.",
    message: "The venue is in the directory and can be found.",
  };
  return sendPage(reply, member, "venues/show", {
    title: card.name,
    searchHref: searchBefore(request, web.config.web.url),
    notice: isNew ? added : undefined,
    card,
    id: venue.id,
    facts: venueFacts(venue),
    map: mapOf({ points: mapPoints([card]), around: around.filter(({ href }) => href !== card.href), zoom: 16 }),
  });
}

/**
 * The search that led here, else an empty one. Browsers tell it themselves (Referer), and to nobody but us: no address of
 * a venue carries where somebody searched, and no other site can name one.
 */
function searchBefore({ headers: { referer = "" } }: FastifyRequest, ours: string): string {
  const path = referer.startsWith(`${ours}/venues?`) ? localPath(referer.slice(ours.length)) : "/";
  return path === "/" ? "/venues" : path;
}
