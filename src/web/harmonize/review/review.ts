import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { wholeNumber } from "../../../contract/parameters.ts";
import type { Venue } from "../../../contract/resources.ts";
import { text } from "../../../contract/text.ts";
import type { Auth } from "../../../directory-client/calls/answers.ts";
import { decide } from "../../../harmonize/review/decisions.ts";
import { type ReviewListing, reviewListing } from "../../../harmonize/review/listing.ts";
import { undo } from "../../../harmonize/review/undo.ts";
import { goTo } from "../../../http/pages/forms.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import { KnownError } from "../../../shared/errors.ts";
import { openToken } from "../../base/connections.ts";
import type { Web } from "../../base/deps.ts";
import type { Visit } from "../../base/members.ts";
import { problemOf } from "../../base/page.ts";
import { connectedReviewers, connectedViewers, type Seen } from "../base/guards.ts";
import { type CardExtras, sendCard } from "./card.ts";
import { cardOf, type ReviewAt, reviewAt, reviewHref, reviewOf } from "./place.ts";
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

const DECISIONS = ["matched", "rejected", "skip"] as const;
const wish = z.object({
  decision: z.enum(DECISIONS, { error: () => t("“decision” must be one of {names}", { names: DECISIONS.join(", ") }) }),
  venueId: z
    .string()
    .max(200, { error: () => t("“venueId” is too long") })
    .optional(),
  seen: z.iso.datetime({ error: () => t("“seen” must be a time") }).optional(),
});

/** `POST /harmonizations/:id/listings/:number`: decides, and redirects to the next card. */
export async function decideListing(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen) {
  const review = await reviewAt(web, request, seen);
  const { decision, venueId } = parseParameters(wish, request.body);
  const isOther = decision === "matched" && venueId && !review.listing.candidates.some(({ id }) => id === venueId);
  if (isOther) return connectedReviewers(web, decideOther, cardOf)(request, reply);
  const token = openToken(web.vault, seen.member.connection);
  return settle(web, reply, review, token === undefined ? undefined : { token });
}

/** Decides for a venue found by words, which the directory is asked about. */
async function decideOther(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen & Visit) {
  return settle(web, reply, await reviewAt(web, request, seen), seen.auth);
}

async function settle(web: Web, reply: FastifyReply, review: ReviewAt, auth?: Visit["auth"]) {
  const { h, member, queue, listing } = review;
  const { decision, venueId, seen } = parseParameters(wish, reply.request.body);
  try {
    await decide(
      web.harmonizer,
      { h, person: member, number: listing.number },
      { decision, venueId, auth, seen: seen ? new Date(seen) : null },
    );
  } catch (error) {
    if (!(error instanceof KnownError) || ![400, 404, 409].includes(error.status)) throw error;
    const now = (await reviewListing(web.harmonizer, { h, person: member, number: listing.number })) ?? listing;
    const notice = { kind: "danger" as const, message: error.message };
    return sendCard(web, reply.code(error.status), { ...review, listing: now }, { notice });
  }
  const next = await nextIn(web, review, listing.number);
  const end = reviewHref(h, queue, undefined, { after: String(listing.number) });
  return goTo(reply, next ? reviewHref(h, queue, next) : end);
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
