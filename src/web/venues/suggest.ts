import type { FastifyReply, FastifyRequest } from "fastify";
import { DirectoryError } from "../../directory-client/errors.ts";
import { textField } from "../../http/pages/forms.ts";
import type { Web } from "../base/deps.ts";
import type { Visit } from "../base/members.ts";
import { readPlace } from "./place.ts";
import { typedPlace } from "./typed-place.ts";
import { venueCard } from "./view.ts";

const FEWEST_LETTERS = 2;
const MOST = 6;

/**
 * `/venues/suggest?query=&ll=&at=`: JSON with `suggestions` of name, line and href for the letters typed so far. None if the directory refuses or fails.
 */
export async function suggest(web: Web, request: FastifyRequest, reply: FastifyReply, { auth }: Visit) {
  const query = textField(request.query, "query").trim();
  const place = typedPlace.safeParse(readPlace(placeIn(request.query))).data;
  if ([...query].length < FEWEST_LETTERS || query.length > 200) return reply.send({ suggestions: [] });
  try {
    const { venues } = await web.directory.searchVenues(auth, { query, ...place, limit: MOST });
    const suggestions = venues.slice(0, MOST).map((venue) => {
      const { name, line, href, credit } = venueCard(venue);
      return { name, line: [line, credit].filter(Boolean).join(" · "), href };
    });
    return reply.send({ suggestions });
  } catch (error) {
    // The token's own page would be shown in the list; the next page says it.
    if (!(error instanceof DirectoryError) || error.kind === "refused_token") throw error;
    return reply.send({ suggestions: [] });
  }
}

export const placeIn = (query: unknown) => ({ ll: textField(query, "ll"), at: textField(query, "at") });
