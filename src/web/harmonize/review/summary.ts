import type { FastifyReply } from "fastify";
import { MOST_COUNTED } from "../../../harmonize/review/order.ts";
import { type Reviewer, reviewSummary } from "../../../harmonize/review/summary.ts";
import { lastStep } from "../../../harmonize/review/undo.ts";
import { isAtWork } from "../../../harmonize/run/harmonizations.ts";
import { recentResultOf } from "../../../harmonize/run/recent-result.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { formatNumber } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import { sendPage } from "../../base/page.ts";
import { type Review, reviewHref } from "./place.ts";
import { countIn, queueView } from "./queue.ts";
import { lastInWords } from "./words.ts";

export async function sendSummary(web: Web, reply: FastifyReply, review: Review): Promise<FastifyReply> {
  const { harmonizer } = web;
  const { member, h, queue } = review;
  const [{ decided, left }, skipped, { value: reviewers = [] }, last] = await Promise.all([
    countIn(web, review),
    countIn(web, { ...review, queue: { show: "skipped" } }),
    recentResultOf(harmonizer.pool, h, "reviewers", () => reviewSummary(harmonizer, h)),
    lastStep(harmonizer, h, member),
  ]);
  return sendPage(reply, member, "harmonize/review/summary", {
    title: t("Review"),
    run: { id: h.id, name: h.name, isAtWork: isAtWork(h) },
    queue: { ...queueView(review), show: queue.show, decided },
    mostCounted: MOST_COUNTED,
    /** Open elsewhere, or skipped. */
    left,
    skipped: skipped.left,
    skippedHref: reviewHref(h, { show: "skipped" }),
    reviewers: reviewers.map(reviewerView),
    last: last && lastInWords(last),
  });
}

const reviewerView = ({ name, lastAt, matched, added, rejected }: Reviewer) => ({
  name: name ?? t("A former member"),
  matched: formatNumber(matched),
  added: formatNumber(added),
  rejected: formatNumber(rejected),
  last: shownTime(lastAt),
});
export type ShownReviewer = ReturnType<typeof reviewerView>;
