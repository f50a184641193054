import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { text, wholeNumber } from "../../../contract/parameters.ts";
import { decide } from "../../../harmonize/review/decisions.ts";
import { reviewListing } from "../../../harmonize/review/listing.ts";
import { nextListing } from "../../../harmonize/review/order.ts";
import { undo } from "../../../harmonize/review/undo.ts";
import { goTo } from "../../../http/notice.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { KnownError } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import { connectedOnly, membersOnly, type Visit } from "../../base/members.ts";
import { sendCard } from "./card.ts";
import { registerFamily } from "./family.ts";
import { cardOf, type ReviewAt, reviewAt, reviewHref, reviewOf } from "./place.ts";
import { findOthers } from "./search.ts";
import { sendSummary } from "./summary.ts";
import { undoneInWords } from "./words.ts";

/** `/harmonizations/:id/review`: listings one after another, for whoever may see the harmonization. */
export function registerReview(app: FastifyInstance, web: Web): void {
  app.get(
    "/harmonizations/:id/review",
    membersOnly(web, async (request, reply, member) => {
      const review = await reviewOf(web, request, member);
      const { after } = parseParameters(begun, request.query);
      const next = await nextListing(web.harmonizer, review.h, member, review.queue, after);
      return next ? goTo(reply, reviewHref(review.h, review.queue, next)) : sendSummary(web, reply, review);
    }),
  );
  registerCard(app, web);
  registerDecide(app, web);
  registerFamily(app, web);
  app.post(
    "/harmonizations/:id/undo",
    membersOnly(
      web,
      async (request, reply, member) => {
        const { h, queue } = await reviewOf(web, request, member);
        const undone = await undo(web.harmonizer, h, member);
        return goTo(reply, reviewHref(h, queue, undone?.number), undoneInWords(undone));
      },
      cardOf,
    ),
  );
}

const begun = z.object({ after: wholeNumber("after", 0, 2_147_483_647).default(0) });

/** `/harmonizations/:id/review/:number`, with `q` beside venues found by these words; and the sign of life of who has it. */
function registerCard(app: FastifyInstance, web: Web): void {
  const plain = membersOnly(web, async (request, reply, member) =>
    sendCard(web, reply, await reviewAt(web, request, member)),
  );
  const searched = connectedOnly(web, async (request, reply, { member, auth }) => {
    const review = await reviewAt(web, request, member);
    const { q = "" } = parseParameters(words, request.query);
    return sendCard(web, reply, review, await findOthers(web, auth, review.listing, q));
  });
  app.get("/harmonizations/:id/review/:number", (request, reply) => {
    const { q } = request.query as { q?: unknown };
    return (q ? searched : plain)(request, reply);
  });

  const keep = membersOnly(web, async (request, reply, member) => {
    const { listing } = await reviewAt(web, request, member);
    return reply.code(listing.lockedBy ? 409 : 204).send();
  });
  app.post("/harmonizations/:id/listings/:number/lock", keep);
}

const words = z.object({ q: text("Words", 200).optional() });

const wish = z.object({
  decision: z.enum(["matched", "rejected", "skip"], "decision is one of matched, rejected, skip"),
  venueId: z.string().max(200, "venueId is too long").optional(),
  seen: z.iso.datetime("seen is no time").optional(),
});

/** `POST /harmonizations/:id/listings/:number`: what it is; answers with the next card. */
function registerDecide(app: FastifyInstance, web: Web): void {
  const submit = async (reply: FastifyReply, review: ReviewAt, auth?: Visit["auth"]) => {
    const { h, member, queue, listing } = review;
    const { decision, venueId, seen } = parseParameters(wish, reply.request.body);
    try {
      await decide(web.harmonizer, h, member, listing.number, {
        ...{ decision, venueId, auth },
        seen: seen ? new Date(seen) : null,
      });
    } catch (error) {
      if (!(error instanceof KnownError) || ![400, 404, 409].includes(error.status)) throw error;
      const now = (await reviewListing(web.harmonizer, h, member, listing.number)) ?? listing;
      const notice = { kind: "danger" as const, message: error.message };
      return sendCard(web, reply.code(error.status), { ...review, listing: now }, { notice });
    }
    const next = await nextListing(web.harmonizer, h, member, queue, listing.number);
    const end = reviewHref(h, queue, undefined, { after: String(listing.number) });
    return goTo(reply, next ? reviewHref(h, queue, next) : end);
  };
  const connected = connectedOnly(
    web,
    async (request, reply, { member, auth }) => submit(reply, await reviewAt(web, request, member), auth),
    cardOf,
  );
  const decideIt = membersOnly(
    web,
    async (request, reply, member) => {
      const review = await reviewAt(web, request, member);
      const { decision, venueId } = parseParameters(wish, request.body);
      const isOther = decision === "matched" && venueId && !review.listing.candidates.some(({ id }) => id === venueId);
      return isOther ? connected(request, reply) : submit(reply, review);
    },
    cardOf,
  );
  app.post("/harmonizations/:id/listings/:number", decideIt);
}
