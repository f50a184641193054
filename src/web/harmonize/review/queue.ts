import { SORTS } from "../../../harmonize/review/filter.ts";
import { countQueue, MOST_COUNTED, nextListing, type ReviewQueue } from "../../../harmonize/review/order.ts";
import { formatNumber } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import { type Facet, facetInWords, filterOf, reasonInWords, sortInWords } from "../base/filter.ts";
import { looksOnly } from "../base/guards.ts";
import { fieldsOf, type Queue, type Review, reviewHref } from "./place.ts";
import { toDo } from "./words.ts";

function queueOf({ member, h, queue }: Review): ReviewQueue {
  const { show, sort, least, ...facets } = queue;
  const waiting = show === "asked" ? { waitsFor: member.id } : {};
  return { show, sort, filter: { ...filterOf({ ...facets, from: least }, h), ...waiting } };
}

/** The number of the next listing after one; a member who may decide locks it. */
export const nextIn = ({ harmonizer }: Web, review: Review, after?: number): Promise<number | undefined> => {
  const { h, member: person } = review;
  const reviewing = { h, person, queue: queueOf(review), looksOnly: looksOnly({ h, member: person }) };
  return nextListing(harmonizer, reviewing, after);
};

export const countIn = ({ harmonizer }: Web, review: Review) => countQueue(harmonizer, review.h, queueOf(review));

interface QueueProgress {
  /** In words, if there are too many to show the position in the queue. */
  left: string | undefined;
  decided: number;
  all: number;
  at: number;
}

export function progressOf(decided: number, left: number): QueueProgress {
  const isLong = Math.max(decided, left) > MOST_COUNTED;
  const words = left > MOST_COUNTED ? t("Many") : formatNumber(left);
  const all = decided + left;
  return { left: isLong ? words : undefined, decided, all, at: Math.min(decided + 1, all) };
}

export function queueView({ h, queue }: Pick<Review, "h" | "queue">) {
  const { show, sort, least, ...facets } = queue;
  const narrowed = Object.entries({ ...facets, from: least }) as [Facet, string | number | undefined][];
  const filters = narrowed.flatMap(([facet, value]) => {
    if (value === undefined) return [];
    const words = facetInWords(facet, String(value), h);
    return facet === "reason" ? t("Only where {reason}", { reason: words }) : words;
  });
  const all: Queue = { show, sort };
  const orders = show === "skipped" || show === "matched" ? [] : ([undefined, ...SORTS] as const);
  return {
    what: toDo(show),
    reason: queue.reason && reasonInWords(queue.reason),
    filters,
    allHref: filters.length > 0 ? reviewHref(h, all) : undefined,
    sorts: orders.map((each) => ({
      label: sortInWords(each),
      href: reviewHref(h, { ...queue, sort: each }),
      isCurrent: each === sort,
    })),
    fields: fieldsOf(queue),
  };
}

export type ShownQueue = ReturnType<typeof queueView> & QueueProgress;
