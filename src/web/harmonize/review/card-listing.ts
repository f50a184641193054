import { cellNotes } from "../../../harmonize/file/odd-cells.ts";
import { byAddressInWords } from "../../../harmonize/query/by-address.ts";
import { mendInWords } from "../../../harmonize/query/mend.ts";
import { repairsInWords } from "../../../harmonize/query/row-changes.ts";
import { percentText, whyFailed, whyHeldBack } from "../../../harmonize/results/outcome-words.ts";
import type { ReviewListing } from "../../../harmonize/review/listing.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { repairInWords } from "../../../harmonize/run/problems/slips.ts";
import { wordsOf } from "../../../harmonize/run/problems/words.ts";
import { t } from "../../../language/translate.ts";
import { beforeInWords, decidedInWords, troubleInWords } from "./words.ts";

export function aboutListing(listing: ReviewListing, h: Harmonization) {
  const { header, columns } = h;
  const { number, line, decision, venueName, decidedBy, decidedHow, changedAt, before, query } = listing;
  const mended = mendInWords(query?.mended);
  return {
    number,
    line,
    changedAt: changedAt?.toISOString() ?? "",
    isSkipped: listing.isSkipped,
    rowRepairs: repairsInWords(listing.cells, h),
    mended: mended && t("{what} (by {name})", { what: mended, name: listing.mendedBy ?? t("a former member") }),
    repaired: repairInWords(query?.repaired?.by),
    byAddress: byAddressInWords(query?.byAddress),
    place: [query?.address, query?.city ?? query?.near].filter(Boolean).join(", "),
    decision: decision ? decidedInWords({ decision, venueName, decidedBy }, decidedHow === "kept") : undefined,
    byScore: decision ? undefined : byScore(listing, h),
    isPlaced: decision === "matched" || decision === "added",
    reason: decision && listing.why ? wordsOf(listing.why) : undefined,
    before: before && beforeInWords(before),
    problem: listing.status === "failed" ? whyFailed(listing) : undefined,
    troubles: [troubleInWords(listing) ?? [], cellNotes(listing.cells, header, columns)].flat(),
    lockedBy: listing.lockedBy ?? undefined,
    isPending: listing.status === "pending",
    isAdding: listing.isAdding,
    cells: header.map((name, index) => ({ name, value: listing.cells[index] ?? "" })),
  };
}

/** Why an undecided listing is where it is: what its score did, if it reaches the cut, or who sent it back. */
function byScore(listing: ReviewListing, { acceptFrom }: Harmonization) {
  const { outcome, why, candidates, decidedBy, query } = listing;
  const [best, second] = candidates;
  if (why?.code === "sent_back") {
    const message = t("By {name}.", { name: decidedBy ?? t("a former member") });
    return { kind: "info", heading: t("Sent back to review."), message } as const;
  }
  if (why?.code === "venue_deleted") {
    const message = t("Its venue was deleted from the directory.");
    return { kind: "info", heading: t("Undecided again."), message } as const;
  }
  if (listing.was && outcome === "review") {
    const message = t("This row has changed since an earlier edition, in which it was decided.");
    return { kind: "info", heading: t("Held back for review."), message } as const;
  }
  if (best?.score === undefined || best.score < acceptFrom) return undefined;
  const reached = { score: percentText(best.score), limit: percentText(acceptFrom) };
  if (outcome === "matched") {
    const message = t("{score} reaches the limit of {limit}.", reached);
    return { kind: "success", heading: t("Accepted by its score."), message } as const;
  }
  if (outcome !== "review") return undefined;
  const heading = t("Needs review: {why}.", { why: whyHeldBack(best, second, query?.repaired?.by) });
  const message = t("Otherwise it would be accepted: {score} reaches the limit of {limit}.", reached);
  return { kind: "info", heading, message } as const;
}

export type ShownListing = ReturnType<typeof aboutListing> & { name: string };
