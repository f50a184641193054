import { MOST_COUNTED, type ReviewQueue } from "../../../harmonize/review/order.ts";
import { formatNumber } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";
import { reviewHref } from "./place.ts";
import { reasonInWords, toDo } from "./words.ts";

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

export function queueView({ show, reason }: ReviewQueue, id: string) {
  return {
    what: toDo(show),
    reason: reason && reasonInWords(reason),
    allHref: reason ? reviewHref({ id }, { show }) : undefined,
  };
}

export type ShownQueue = ReturnType<typeof queueView> & QueueProgress & { fields: Record<string, string> };
