import type { FastifyReply } from "fastify";
import { unlessTooSlow } from "../../../db/bulk.ts";
import { isToBeJudged } from "../../../harmonize/positions/task.ts";
import { listListings } from "../../../harmonize/results/listings.ts";
import { percentOf } from "../../../harmonize/results/outcome-words.ts";
import { progressOf } from "../../../harmonize/results/progress.ts";
import { lastStep } from "../../../harmonize/review/undo.ts";
import { type Harmonization, isOwner } from "../../../harmonize/run/harmonizations.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import { sendPage } from "../../base/page.ts";
import { expiryInWords } from "../base/expiry.ts";
import { facetsIn, filterOf } from "../base/filter.ts";
import { looksOnly } from "../base/guards.ts";
import { unusedRepairs } from "../base/notice.ts";
import { positionsView } from "../base/positions.ts";
import { lastInWords } from "../review/words.ts";
import { type CutProblem, cutsView, parseCut } from "./cuts.ts";
import { listDownloads, tablesFor } from "./export.ts";
import { checkEdition, facetsView } from "./facets.ts";
import { hrefOf, listHref, outcomeOf } from "./list.ts";
import { aroundRows, reportOn } from "./next-steps.ts";
import { rowFields } from "./rows.ts";
import {
  allOf,
  foundInWords,
  headingOf,
  isNearlyEmpty,
  pageHref,
  type Query,
  query,
  reviewOf,
  rowsOf,
  tilesOf,
} from "./shown-list.ts";

/** Sends the page of a finished or cancelled harmonization. */
export async function sendResults(
  web: Web,
  reply: FastifyReply,
  member: Member,
  h: Harmonization,
  cutProblem?: CutProblem,
): Promise<FastifyReply> {
  const asked = parseParameters(query, reply.request.query);
  const { show, q, after, before } = asked;
  const cut = asked.cut === undefined ? undefined : parseCut(asked.cut);
  const refused = cutProblem ?? (asked.cut && cut === undefined ? badCut(asked.cut, h) : undefined);
  await checkEdition(web, member, h, asked);
  const { isUnwritten, narrowed, outcome, text, filter } = wantedRows(h, asked);
  const wanted = { outcome, text, filter, after, before, sort: asked.sort };
  const hrefWith = (more: Record<string, string>) => hrefOf(h.id, { show, q, ...more });
  const [progress, page, { cuts, folded, isLate }, facets, last] = await Promise.all([
    progressOf(web.harmonizer, h),
    listListings(web.harmonizer, h, wanted),
    cutsView(web, h, member, cut ?? (refused && h.acceptFrom)),
    facetsView(web, h, { asked: narrowed, outcome, text, hrefOf: hrefWith }),
    lastStep(web.harmonizer, h, member).catch(unlessTooSlow),
  ]);
  const { counts } = progress;
  const tiles = tilesOf(h, progress, asked);
  const isCounting = isLate || !progress.isCounted;
  if (isCounting || facets.isLate || page.isBusy) reply.header("refresh", "3");
  return sendPage(reply, member, "harmonize/results/results", {
    title: h.name,
    run: runView(h),
    ...rightsOf(h, member),
    tables: tablesFor(h),
    downloads: listDownloads(h, asked),
    ...(await aroundRows(web, member, h, progress)),
    unusedRepairs: unusedRepairs(h),
    counts,
    report: reportOn(web, member, h, progress),
    positions: positionsView(h.positions),
    isJudging: h.state === "ready" && isToBeJudged(h),
    isCounting,
    isBusy: page.isBusy,
    isNearlyEmpty: isNearlyEmpty(counts),
    tiles,
    heading: headingOf(show, tiles),
    cuts,
    cutsLink: folded && { inUse: folded.inUse, href: hrefWith({ ...facetsIn(asked), cut: folded.cut }) },
    cutProblem: refused,
    show,
    q: q ?? "",
    facets,
    reviewHref: facets.chips.length > 0 ? reviewOf(h, asked) : undefined,
    chosen: facetsIn(narrowed),
    ...(await rowsOf(web, member, h, { outcome, listings: page.listings })),
    rows: { ...rowFields(page.listings), list: listHref(h.id, asked).split("?")[1] ?? "" },
    all: isUnwritten || !isOwner(h, member) ? undefined : allOf(h, progress, { ...asked, found: facets.found }),
    last: last && lastInWords(last),
    found: asked.sort && page.listings.length > 0 ? "" : foundInWords(page),
    pager: { previous: pageHref(h, asked, "before", page), next: pageHref(h, asked, "after", page) },
  });
}

/** Ids that were not written are few, and no outcome of their own: nothing narrows them. */
function wantedRows(h: Harmonization, asked: Query) {
  const isUnwritten = asked.show === "unwritten";
  const narrowed = isUnwritten ? {} : asked;
  const filter = { ...filterOf(narrowed, h), isUnwritten };
  return { isUnwritten, narrowed, outcome: outcomeOf(asked.show), text: asked.q?.trim() ?? "", filter };
}

const rightsOf = (h: Harmonization, member: Member) => ({
  isOwner: isOwner(h, member),
  isGuest: member.isGuest ?? false,
  looksOnly: looksOnly({ h, member }),
});

function runView(h: Harmonization) {
  const { id, name, state, listingCount, isShared, columns, matchedAt } = h;
  return {
    id,
    name,
    isShared,
    isCancelled: state === "cancelled",
    hasIds: columns.id !== undefined,
    listings: t("{count, plural, one {# row} other {# rows}}", { count: listingCount }),
    matchedAt: matchedAt ? shownTime(matchedAt) : undefined,
    expires: expiryInWords(h),
  };
}
export type ShownRun = ReturnType<typeof runView>;

const badCut = (typed: string, { reviewFrom }: Harmonization): CutProblem => ({
  acceptFrom: typed,
  reviewFrom: String(percentOf(reviewFrom)),
  message: t("Enter a number from 50 to 99.9."),
});
