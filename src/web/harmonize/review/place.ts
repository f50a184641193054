import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { wholeNumber } from "../../../contract/parameters.ts";
import { type ReviewListing, reviewListing } from "../../../harmonize/review/listing.ts";
import { lockListing } from "../../../harmonize/review/locks.ts";
import { REASON, type ReviewQueue } from "../../../harmonize/review/order.ts";
import { QUEUES } from "../../../harmonize/review/stretches.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { checkParameters, parseParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import { notFound } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import { looksOnly, type Seen } from "../base/guards.ts";

export interface Review {
  member: Member;
  h: Harmonization;
  queue: ReviewQueue;
}

export interface ReviewAt extends Review {
  listing: ReviewListing;
}

const MOST = 2_147_483_647;
const queueFields = z.object({
  show: z
    .enum(QUEUES, { error: () => t("show must be one of {names}", { names: QUEUES.join(", ") }) })
    .default("review"),
  reason: z
    .string()
    .regex(REASON, { error: () => t("reason is what is compared, and + or -") })
    .optional(),
});
const place = z.object({ id: z.string(), number: wholeNumber("number", 1, MOST).optional() });

export const reviewOf = (request: FastifyRequest, { member, found: h }: Seen): Review => ({
  ...{ member, h },
  queue: parseParameters(queueFields, request.method === "POST" ? request.body : request.query),
});

/**
 * Locks the listing for this person, unless somebody else has it.
 *
 * @throws KnownError 404 if there is no such listing
 */
export async function reviewAt(web: Web, request: FastifyRequest, seen: Seen): Promise<ReviewAt> {
  const { number } = checkParameters(place, request.params).value ?? {};
  if (!number) throw notFound();
  const review = reviewOf(request, seen);
  const { h, member } = review;
  if (!looksOnly(seen)) await lockListing(web.harmonizer, { h, person: member, number });
  const listing = await reviewListing(web.harmonizer, { h, person: member, number });
  if (!listing) throw notFound(t("There is no such listing."));
  return { ...review, listing };
}

/** The card of the form's listing, to return to after a log-in. */
export function cardOf({ params, body }: FastifyRequest): string {
  const { id, number } = params as { id: string; number?: string };
  const queue = checkParameters(queueFields, body).value;
  return reviewHref({ id: encodeURIComponent(id) }, queue, number && encodeURIComponent(number));
}

/** Returns the URL of a listing's review card; without `number`, of the next card in the queue. */
export function reviewHref(
  { id }: { id: string },
  queue: ReviewQueue = { show: "review" },
  number?: number | string,
  more: Record<string, string> = {},
): string {
  return withQuery(`/harmonizations/${id}/review${number ? `/${number}` : ""}`, { ...fieldsOf(queue), ...more });
}

export function withQuery(path: string, fields: Record<string, string>): string {
  const query = new URLSearchParams(fields);
  return query.size ? `${path}?${query}` : path;
}

export const fieldsOf = ({ show, reason }: ReviewQueue): Record<string, string> => ({
  ...(show === "review" ? {} : { show }),
  ...(reason ? { reason } : {}),
});
