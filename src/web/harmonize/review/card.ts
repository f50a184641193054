import type { FastifyReply } from "fastify";
import type { Venue } from "../../../contract/resources.ts";
import { noCandidate, notAsked } from "../../../harmonize/results/outcome-words.ts";
import { hasFamily } from "../../../harmonize/review/family.ts";
import { lastStep } from "../../../harmonize/review/undo.ts";
import { isAtWork } from "../../../harmonize/run/harmonizations.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { t } from "../../../language/translate.ts";
import { within } from "../../../shared/within.ts";
import type { Web } from "../../base/deps.ts";
import { sendPage } from "../../base/page.ts";
import { editHref } from "../../venues/view.ts";
import { beginningOf } from "../base/beginning.ts";
import { looksOnly } from "../base/guards.ts";
import { exampleNotice } from "../base/notice.ts";
import { candidatesNow } from "./candidates-now.ts";
import { aboutListing } from "./card-listing.ts";
import { cellOf, choicesOf } from "./choices.ts";
import { type AskedMend, mendView } from "./mend-view.ts";
import { notesView } from "./notes.ts";
import { fieldsOf, type ReviewAt, reviewHref, withQuery } from "./place.ts";
import { countIn, progressOf, queueView } from "./queue.ts";
import { townOf } from "./town.ts";
import { lastInWords } from "./words.ts";

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
  const [{ decided, left }, last, candidates, isFamily, takesProposals, town] = await Promise.all([
    countIn(web, at),
    lastStep(web.harmonizer, h, member),
    candidatesNow(web, member, listing.candidates),
    hasFamily(web.harmonizer, { h, person: member, number: listing.number }),
    within(web.directory.takesProposals()).catch(() => false),
    townOf(web, member, listing),
  ]);
  const name = listing.query?.name || beginningOf(cellOf(listing, h, "name") ?? "") || t("Row without a name");
  const base = `/harmonizations/${h.id}/listings/${listing.number}`;
  const looks = looksOnly({ h, member });
  return sendPage(reply.code(status), member, "harmonize/review/review", {
    title: t("{name}: review", { name }),
    notice: member.isGuest ? exampleNotice() : notice,
    looksOnly: looks,
    isAtRandom: queue.show === "matched",
    run: { id: h.id, name: h.name, isAtWork: isAtWork(h) },
    listing: { ...aboutListing(listing, h), name },
    ...choicesOf({ ...listing, candidates }, { found, town }, h, queue),
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

const notAskedYet = () => t("Not searched yet: fix the row first");
