import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { wholeNumber } from "../../../contract/parameters.ts";
import type { Venue } from "../../../contract/resources.ts";
import { text } from "../../../contract/text.ts";
import type { Auth } from "../../../directory-client/calls/answers.ts";
import type { ReviewListing } from "../../../harmonize/review/listing.ts";
import { undo } from "../../../harmonize/review/undo.ts";
import { goTo } from "../../../http/pages/forms.ts";
import { parseParameters } from "../../../http/parameters.ts";
import type { Web } from "../../base/deps.ts";
import type { Visit } from "../../base/members.ts";
import { problemOf } from "../../base/page.ts";
import { connectedViewers, type Seen } from "../base/guards.ts";
import { type CardExtras, sendCard } from "./card.ts";
import { reviewAt, reviewHref, reviewOf } from "./place.ts";
import { nextIn } from "./queue.ts";
import { sendSummary } from "./summary.ts";
import { undoneInWords } from "./words.ts";

/** `/harmonizations/:id/review`: the next listing of a queue. */
export async function review(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen) {
  const review = reviewOf(request, seen);
  const { after } = parseParameters(begun, request.query);
  const next = await nextIn(web, review, after);
  return next ? goTo(reply, reviewHref(review.h, review.queue, next)) : sendSummary(web, reply, review);
}

const begun = z.object({ after: wholeNumber("after", 0, 2_147_483_647).default(0) });

export async function undoLast(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen) {
  const { h, member, queue } = reviewOf(request, seen);
  const undone = await undo(web.harmonizer, h, member);
  return goTo(reply, reviewHref(h, queue, undone?.number), undoneInWords(undone));
}

/** `/harmonizations/:id/review/:number`; with `q`, also venues found by these words. */
export async function showCard(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen) {
  const { q } = request.query as { q?: unknown };
  if (q) return connectedViewers(web, showSearched)(request, reply);
  return sendCard(web, reply, await reviewAt(web, request, seen));
}

async function showSearched(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen & Visit) {
  const review = await reviewAt(web, request, seen);
  const { q = "" } = parseParameters(words, request.query);
  return sendCard(web, reply, review, await findOthers(web, seen.auth, review.listing, q));
}

const words = z.object({ q: text("Words", 200).optional() });

/** `GET` of the address that decisions are posted to, which may remain in the address bar. */
export async function goToCard(_web: Web, { params }: FastifyRequest, reply: FastifyReply) {
  const { id, number } = params as { id: string; number: string };
  return reply.redirect(`/harmonizations/${id}/review/${encodeURIComponent(number)}`);
}

/** `POST /harmonizations/:id/listings/:number/lock`: keeps the lock alive. */
export async function keepListing(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen) {
  const { listing } = await reviewAt(web, request, seen);
  return reply.code(listing.lockedBy ? 409 : 204).send();
}

const MOST = 8;

async function findOthers(web: Web, auth: Auth, { query, candidates }: ReviewListing, q: string): Promise<CardExtras> {
  const { ll = query?.byAddress, near } = query ?? {};
  try {
    const { venues } = await web.directory.searchVenues(auth, { ...(ll ? { ll } : { near }), query: q, limit: MOST });
    const others = venues.slice(0, MOST).filter(({ id }) => !candidates.some((each) => each.id === id));
    return { q, found: others.sort((a, b) => distanceOf(a) - distanceOf(b)) };
  } catch (error) {
    const { status, notice } = problemOf(error);
    return { q, found: [], status, notice };
  }
}

const distanceOf = ({ location }: Venue): number => location?.distance ?? Number.POSITIVE_INFINITY;
