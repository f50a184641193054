import type { FastifyReply } from "fastify";
import type { Venue } from "../../../contract/resources.ts";
import type { Columns } from "../../../files/columns.ts";
import { cellNotes } from "../../../harmonize/file/odd-cells.ts";
import { byAddressInWords } from "../../../harmonize/query/by-address.ts";
import { textOf } from "../../../harmonize/query/corrected.ts";
import { mendInWords, pointInFile } from "../../../harmonize/query/mend.ts";
import { repairsInWords } from "../../../harmonize/query/row-changes.ts";
import {
  noCandidate,
  notAsked,
  percentText,
  whyFailed,
  whyHeldBack,
} from "../../../harmonize/results/outcome-words.ts";
import { hasFamily } from "../../../harmonize/review/family.ts";
import type { ReviewListing } from "../../../harmonize/review/listing.ts";
import { isMendable } from "../../../harmonize/review/mend.ts";
import { lastStep } from "../../../harmonize/review/undo.ts";
import { type Harmonization, isAtWork } from "../../../harmonize/run/harmonizations.ts";
import { repairInWords } from "../../../harmonize/run/problems/slips.ts";
import { wordsOf } from "../../../harmonize/run/problems/words.ts";
import { mapOf, type Notice } from "../../../http/pages/parts.ts";
import { t } from "../../../language/translate.ts";
import { within } from "../../../shared/within.ts";
import type { Web } from "../../base/deps.ts";
import { sendPage } from "../../base/page.ts";
import { matchCard } from "../../venues/match.ts";
import { creditsOf, editHref, mapPoints } from "../../venues/view.ts";
import { looksOnly } from "../base/guards.ts";
import { exampleNotice } from "../base/notice.ts";
import { venueOf } from "./candidate-cards.ts";
import { type CandidateNow, candidatesNow } from "./candidates-now.ts";
import { type AskedMend, MEND_PICK, mendView } from "./mend-view.ts";
import { notesView } from "./notes.ts";
import { fieldsOf, type Queue, type ReviewAt, reviewHref, withQuery } from "./place.ts";
import { countIn, progressOf, queueView } from "./queue.ts";
import { beforeInWords, decidedInWords, lastInWords, troubleInWords } from "./words.ts";

export interface CardExtras {
  q?: string;
  found?: Venue[];
  status?: number;
  notice?: Notice;
  /** What was typed into the form of corrections, and is wrong with it. */
  mend?: AskedMend;
}

export async function sendCard(
  web: Web,
  reply: FastifyReply,
  at: ReviewAt,
  { q = "", found = [], status = reply.statusCode, notice, mend }: CardExtras = {},
): Promise<FastifyReply> {
  const { member, h, queue, listing } = at;
  const [{ decided, left }, last, candidates, isFamily, takesProposals] = await Promise.all([
    countIn(web, at),
    lastStep(web.harmonizer, h, member),
    candidatesNow(web, member, listing.candidates),
    hasFamily(web.harmonizer, { h, person: member, number: listing.number }),
    within(web.directory.takesProposals()).catch(() => false),
  ]);
  const name = listing.query?.name || cellOf(listing, h, "name") || t("Row without a name");
  const base = `/harmonizations/${h.id}/listings/${listing.number}`;
  const looks = looksOnly({ found: h, member });
  return sendPage(reply.code(status), member, "harmonize/review/review", {
    title: t("{name}: review", { name }),
    notice: member.isGuest ? exampleNotice() : notice,
    looksOnly: looks,
    isAtRandom: queue.show === "matched",
    run: { id: h.id, name: h.name, isAtWork: isAtWork(h) },
    listing: { ...aboutListing(listing, h), name },
    ...choicesOf({ ...listing, candidates }, found, h, queue),
    notes: await notesView(web, at),
    mend: looks ? undefined : mendView(listing, h, mend),
    q,
    isSearched: q !== "",
    noCandidate: listing.status === "failed" ? notAskedYet() : noCandidate(),
    notAsked: notAsked(),
    queue: { ...queueView(at), ...progressOf(decided, left) },
    last: last && lastInWords(last),
    addHref: withQuery(`${base}/add`, fieldsOf(queue)),
    familyHref: isFamily ? withQuery(`${base}/family`, fieldsOf(queue)) : undefined,
    cardHref: reviewHref(h, undefined, listing.number),
    editHrefOf: (id: string) =>
      takesProposals && !looks ? editHref(id, reviewHref(h, queue, listing.number)) : undefined,
    decideHref: base,
    nextHref: reviewHref(h, queue, undefined, { after: String(listing.number) }),
  });
}

function aboutListing(listing: ReviewListing, h: Harmonization) {
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

const notAskedYet = () => t("Not searched yet: fix the row first");

function choicesOf(
  listing: Omit<ReviewListing, "candidates"> & { candidates: CandidateNow[] },
  found: Venue[],
  h: Harmonization,
  queue: Queue,
) {
  const { id } = h;
  const { query, candidates, venueId } = listing;
  const [url, category] = (["url", "category"] as const).map((field) => cellOf(listing, h, field));
  const ll = query?.ll ?? query?.byAddress ?? (query ? undefined : pointInFile(listing.cells, h));
  const compared = { ...query, ll, isByAddress: !query?.ll, name: query?.name ?? "", url, category };
  const venues = [...candidates.map((each) => venueOf(each, ll)), ...found];
  // Venues found are not preselected: pressing Enter again must not decide.
  const decided = venues.findIndex((venue) => venue.id === venueId);
  const chosen = decided < 0 ? candidates.findIndex((each) => !each.isGone) : decided;
  const isWaiting = listing.outcome === "review";
  let point = 0;
  const choices = venues.map((venue, index) => {
    const card = matchCard(compared, venue, { limit: h.acceptFrom, isWaiting });
    const isFound = index >= candidates.length;
    const reasons = card.reasons.map((reason) => ({
      ...reason,
      href: index === 0 && !isFound ? filterHref(reason, queue, id) : undefined,
    }));
    const { since, isGone } = candidates[index] ?? {};
    return {
      ...card,
      reasons,
      since,
      isGone,
      id: venue.id,
      isFound,
      isChosen: index === chosen,
      number: card.point && ++point,
    };
  });
  const name = query?.byAddress ? t("Your row, by its address") : t("Your row");
  const points = [...mapPoints(choices), ...(ll ? [{ lat: ll.lat, lng: ll.lng, name, isListing: true }] : [])];
  const pick = isMendable(listing) && !listing.lockedBy && { pick: MEND_PICK };
  return { choices, credits: creditsOf(choices), hasRing: Boolean(ll), map: mapOf({ points, center: ll, ...pick }) };
}

export type Choice = ReturnType<typeof choicesOf>["choices"][number];

type Reason = ReturnType<typeof matchCard>["reasons"][number];

/** The queue of listings where the same reason counts. Weak reasons have none. */
function filterHref({ comparison, side, isWeak }: Reason, queue: Queue, id: string): string | undefined {
  if (!comparison || isWeak || !/^[A-Za-z]{1,40}$/.test(comparison)) return undefined;
  return reviewHref({ id }, { ...queue, reason: `${comparison}${side === "for" ? "+" : "-"}` });
}

const cellOf = (listing: ReviewListing, h: Harmonization, field: keyof Columns): string | undefined =>
  textOf(listing, h, field) || undefined;
