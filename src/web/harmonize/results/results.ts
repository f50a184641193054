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
import { reviewHref } from "../review/place.ts";
import { lastInWords } from "../review/words.ts";
import { type CutProblem, cutsView, parseCut } from "./cuts.ts";
import { listDownloads, tablesFor } from "./export.ts";
import { checkEdition, facetsView } from "./facets.ts";
import { hrefOf, listHref, outcomeOf } from "./list.ts";
import { rowFields } from "./rows.ts";
import { aroundRows, reportOn } from "./next-steps.ts";
import { allOf, foundInWords, headingOf, isNearlyEmpty, pageHref, query, reviewOf, rowsOf, tilesOf } from "./shown-list.ts";

/** Sends the page of a finished or cancelled harmonization. */
export async function sendResults(
  web: Web,
  reply: FastifyReply,
  member: Member,
  found: Harmonization,
  cutProblem?: CutProblem,
): Promise<FastifyReply> {
  const asked = parseParameters(query, reply.request.query);
  const { show, q, after, before } = asked;
  const cut = asked.cut === undefined ? undefined : parseCut(asked.cut);
  const refused = cutProblem ?? (asked.cut && cut === undefined ? badCut(asked.cut, found) : undefined);
  await checkEdition(web, member, found, asked);
  // Ids that were not written are few, and no outcome of their own.
  const isUnwritten = show === "unwritten";
  const narrowed = isUnwritten ? {} : asked;
  const outcome = outcomeOf(show);
  const text = q?.trim() ?? "";
  const filter = { ...filterOf(narrowed, found), isUnwritten };
  const wanted = { outcome, text, filter, after, before, sort: asked.sort };
  const hrefWith = (more: Record<string, string>) => hrefOf(found.id, { show, q, ...more });
  const [progress, page, { cuts, folded, isLate }, facets, last] = await Promise.all([
    progressOf(web.harmonizer, found),
    listListings(web.harmonizer, found, wanted),
    cutsView(web, found, member, cut ?? (refused && found.acceptFrom)),
    facetsView(web, found, { asked: narrowed, outcome, text, hrefOf: hrefWith }),
    lastStep(web.harmonizer, found, member).catch(unlessTooSlow),
  ]);
  const { counts } = progress;
  const tiles = tilesOf(found, progress, asked);
  const isCounting = isLate || !progress.isCounted;
  if (isCounting || facets.isLate || page.isBusy) reply.header("refresh", "3");
  return sendPage(reply, member, "harmonize/results/results", {
    title: found.name,
    run: runView(found),
    ...rightsOf(found, member),
    tables: tablesFor(found),
    downloads: listDownloads(found, asked),
    ...(await aroundRows(web, member, found, progress)),
    unusedRepairs: unusedRepairs(found),
    counts,
    report: reportOn(web, member, found, progress),
    positions: positionsView(found.positions),
    isJudging: found.state === "ready" && isToBeJudged(found),
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
    reviewHref: facets.chips.length > 0 ? reviewOf(found, asked) : undefined,
    chosen: facetsIn(narrowed),
    ...(await rowsOf(web, member, found, { outcome, listings: page.listings })),
    rows: { ...rowFields(page.listings), list: listHref(found.id, asked).split("?")[1] ?? "" },
    all: isUnwritten || !isOwner(found, member) ? undefined : allOf(found, progress, { ...asked, found: facets.found }),
    last: last && lastInWords(last),
    found: asked.sort && page.listings.length > 0 ? "" : foundInWords(page),
    pager: { previous: pageHref(found, asked, "before", page), next: pageHref(found, asked, "after", page) },
  });
}

const rightsOf = (found: Harmonization, member: Member) => ({
  isOwner: isOwner(found, member),
  isGuest: member.isGuest ?? false,
  looksOnly: looksOnly({ found, member }),
});

function runView(found: Harmonization) {
  const { id, name, state, listingCount, isShared, columns, matchedAt } = found;
  return {
    id,
    name,
    isShared,
    isCancelled: state === "cancelled",
    hasIds: columns.id !== undefined,
    listings: t("{count, plural, one {# row} other {# rows}}", { count: listingCount }),
    matchedAt: matchedAt ? shownTime(matchedAt) : undefined,
    expires: expiryInWords(found),
  };
}
export type ShownRun = ReturnType<typeof runView>;

const badCut = (typed: string, { reviewFrom }: Harmonization): CutProblem => ({
  acceptFrom: typed,
  reviewFrom: String(percentOf(reviewFrom)),
  message: t("Enter a number from 50 to 99.9."),
});
