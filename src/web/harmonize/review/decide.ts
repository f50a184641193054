import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { decide } from "../../../harmonize/review/decisions.ts";
import { reviewListing } from "../../../harmonize/review/listing.ts";
import { goTo } from "../../../http/pages/forms.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import { KnownError } from "../../../shared/errors.ts";
import { openToken } from "../../base/connections.ts";
import type { Web } from "../../base/deps.ts";
import type { Visit } from "../../base/members.ts";
import { connectedReviewers, type Seen } from "../base/guards.ts";
import { sendCard } from "./card.ts";
import { cardOf, type ReviewAt, reviewAt, reviewHref } from "./place.ts";
import { nextIn } from "./queue.ts";

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
