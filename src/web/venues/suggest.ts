import type { FastifyReply, FastifyRequest } from "fastify";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { textField } from "../../http/pages/forms.ts";
import type { Web } from "../base/deps.ts";
import type { Visit } from "../base/members.ts";
import { placeIn, readPlace, typedPlace } from "./place.ts";
import { type Suggestion, suggestionOf } from "./view.ts";

const FEWEST_LETTERS = 2;
const MOST_SUGGESTED = 6;

/**
 * `/venues/suggest?query=&ll=&at=`: JSON with `suggestions` of name, line and href for the letters typed so far. None if the
 * directory refuses or fails. `pause`: the seconds without suggestions, so that the last calls stay for searches.
 */
export async function suggest(web: Web, request: FastifyRequest, reply: FastifyReply, { member, auth }: Visit) {
  const { suggestPauses: pauses } = web;
  const query = textField(request.query, "query").trim();
  const answer = (suggestions: Suggestion[]) => reply.send({ suggestions, pause: pauses.secondsLeft(member.id) });
  const isAsked = [...query].length >= FEWEST_LETTERS && query.length <= 200;
  if (!isAsked || pauses.secondsLeft(member.id) > 0) return answer([]);
  const place = typedPlace.safeParse(readPlace(placeIn(request.query))).data;
  try {
    const found = await web.directory.searchVenues(auth, { query, ...place, limit: MOST_SUGGESTED });
    pauses.note(member.id, found);
    return answer(found.venues.slice(0, MOST_SUGGESTED).map(suggestionOf));
  } catch (error) {
    // The token's own page would be shown in the list; the next page says it.
    if (!(error instanceof DirectoryError) || error.kind === "refused_token") throw error;
    if (error.retryAfter) pauses.begin(member.id, error.retryAfter);
    return answer([]);
  }
}
