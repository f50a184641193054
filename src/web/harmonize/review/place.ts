import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { wholeNumber } from "../../../contract/parameters.ts";
import { type ReviewListing, reviewListing } from "../../../harmonize/review/listing.ts";
import { lockListing } from "../../../harmonize/review/locks.ts";
import { QUEUES } from "../../../harmonize/review/stretches.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { checkParameters, parseParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import { notFound } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import { facetFields } from "../base/filter.ts";
import { looksOnly, type Seen } from "../base/guards.ts";

export interface Review {
  member: Member;
  h: Harmonization;
  queue: Queue;
}

export interface ReviewAt extends Review {
  listing: ReviewListing;
}

const MOST = 2_147_483_647;
const { sort, reason, town, score, from, edition, filled, empty } = facetFields;
const queueFields = z.object({
  show: z
    .enum(QUEUES, { error: () => t("“show” must be one of {names}", { names: QUEUES.join(", ") }) })
    .default("review"),
  sort,
  reason,
  town,
  score,
  edition,
  filled,
  empty,
  least: from,
});
/** What a person reviews, as the address says it: `least` is `from` of the results, a name that the page of a family has for itself. */
export type Queue = z.output<typeof queueFields>;
const place = z.object({ id: z.string(), number: wholeNumber("number", 1, MOST).optional() });

export const queueIn = ({ method, body, query }: FastifyRequest): Queue =>
  parseParameters(queueFields, method === "POST" ? body : query);

export const reviewOf = (request: FastifyRequest, { member, h }: Seen): Review => ({
  member,
  h,
  queue: queueIn(request),
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
  if (!listing) throw notFound(t("There is no such row."));
  return { ...review, listing };
}

/** Reads the queue of a form that perhaps nobody was let send. */
export const queueSentBy = ({ body }: FastifyRequest): Queue | undefined => checkParameters(queueFields, body).value;

/** The card of the form's listing, to return to after a log-in. */
export function cardOf(request: FastifyRequest): string {
  const { id, number } = request.params as { id: string; number?: string };
  return reviewHref({ id: encodeURIComponent(id) }, queueSentBy(request), number && encodeURIComponent(number));
}

/** Returns the URL of a listing's review card; without `number`, of the next card in the queue. */
export function reviewHref(
  { id }: { id: string },
  queue: Queue = { show: "review" },
  number?: number | string,
  more: Record<string, string> = {},
): string {
  return withQuery(`/harmonizations/${id}/review${number ? `/${number}` : ""}`, { ...fieldsOf(queue), ...more });
}

export function withQuery(path: string, fields: Record<string, string>): string {
  const query = new URLSearchParams(fields);
  return query.size ? `${path}?${query}` : path;
}

export const fieldsOf = ({ show, ...narrowed }: Queue): Record<string, string> => ({
  ...(show === "review" ? {} : { show }),
  ...Object.fromEntries(
    Object.entries(narrowed).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ),
});
