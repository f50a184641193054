import type { FastifyReply } from "fastify";
import { z } from "zod";
import { unlessTooSlow } from "../../../db/bulk.ts";
import { countMistyped } from "../../../harmonize/add/held-back.ts";
import { countHeld } from "../../../harmonize/add/undo-rows.ts";
import { isToBeJudged } from "../../../harmonize/positions/task.ts";
import { type ListingPage, listListings } from "../../../harmonize/results/listings.ts";
import { percentOf } from "../../../harmonize/results/outcome-words.ts";
import { type Progress, progressOf } from "../../../harmonize/results/progress.ts";
import { lastStep } from "../../../harmonize/review/undo.ts";
import { type Harmonization, isOwner } from "../../../harmonize/run/harmonizations.ts";
import { latelyOf } from "../../../harmonize/run/lately.ts";
import type { Outcome } from "../../../harmonize/run/rows.ts";
import type { Held } from "../../../harmonize/run/venue-holders.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { formatNumber } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import { sendPage } from "../../base/page.ts";
import { expiryInWords } from "../base/expiry.ts";
import { facetsIn, filterOf } from "../base/filter.ts";
import { looksOnly } from "../base/guards.ts";
import { exampleNotice, unusedRepairs } from "../base/notice.ts";
import { type Counts, outcomes, SHOWN_OUTCOMES } from "../base/outcomes.ts";
import { peopleLine } from "../base/people.ts";
import { positionsView } from "../base/positions.ts";
import { inHandView } from "../base/waiting.ts";
import { reviewHref } from "../review/place.ts";
import { lastInWords } from "../review/words.ts";
import { categoryChoice } from "./categories.ts";
import { type CutProblem, cutsView, parseCut } from "./cuts.ts";
import { editionView, sameIdsInWords } from "./edition.ts";
import { listDownloads, tablesFor } from "./export.ts";
import { checkEdition, facetsView } from "./facets.ts";
import { hrefOf, listFields, listHref, outcomeOf } from "./list.ts";
import { listingRow } from "./listings.ts";
import { reportOf } from "./report.ts";
import { rowFields } from "./rows.ts";

/** `cut` is one to preview. */
const query = listFields.extend({ cut: z.string().max(100).optional() });
type Query = z.output<typeof query>;

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

/** The address of the review of what the list shows, if it has only what a review can be narrowed by. */
function reviewOf(found: Harmonization, { show, q, after: _, before: __, cut: ___, narrow: ____, ...asked }: Query) {
  const { from: least, problem, removed, asked: person, ...queue } = asked;
  const isReviewable = show === "review" || show === "none" || show === "failed";
  if (!isReviewable || q || problem || removed || person) return undefined;
  return reviewHref(found, { show, ...queue, least });
}

const rightsOf = (found: Harmonization, member: Member) => ({
  isOwner: isOwner(found, member),
  isGuest: member.isGuest ?? false,
  looksOnly: looksOnly({ found, member }),
});

function reportOn(web: Web, member: Member, found: Harmonization, { counts, isCounted, unwritten }: Progress) {
  if (member.isGuest) return exampleNotice();
  // While they are counted, there may be some.
  const unmatched = isCounted ? counts.none + counts.failed + counts.review : 1;
  return reportOf(found, { origin: web.config.web.url, unwritten, unmatched });
}

const headingOf = (show: string | undefined, tiles: Tile[]): string =>
  show ? (tiles.find(({ isCurrent }) => isCurrent)?.label ?? t("Ids that were not written")) : t("All rows");

/** What the page says around the rows, read at once. */
async function aroundRows(web: Web, member: Member, found: Harmonization, progress: Progress) {
  const [inHand, edition, sameIds, people, steps] = await Promise.all([
    inHandView(web, member, found),
    editionView(web, member, found, progress),
    sameIdsInWords(web, found),
    peopleLine(web, member, found),
    nextSteps(web, member, found, progress),
  ]);
  return { inHand, edition, sameIds, people, ...steps };
}

/** How many listings each of the next steps is about. */
async function nextSteps(web: Web, member: Member, found: Harmonization, progress: Progress) {
  const { addable, addableByAddress, unplaced, heldBack, retryable, townless, annotatable, unwritten } = progress;
  const isOwned = isOwner(found, member);
  const undoable = progress.undoable > 0 && (await deletesVenues(web)) ? progress.undoable : 0;
  const held = undoable > 0 && isOwned ? await heldOf(web, found) : undefined;
  const mistyped = addable > 0 && isOwned ? await mistypedIn(web, found) : undefined;
  return {
    addable,
    addableByAddress,
    unplaced,
    heldBack,
    retryable,
    townless,
    annotatable,
    unwritten,
    undoable,
    held,
    mistyped,
  };
}

/** The rows, and the categories to choose from for those without a match. */
async function rowsOf(web: Web, member: Member, found: Harmonization, { outcome, listings }: Shown) {
  const numbers = listings.map(({ number }) => number);
  const choice = outcome === "none" ? await categoryChoice(web, member, found, numbers) : undefined;
  const rows = listings.map((each) => ({ ...listingRow(found, each), category: choice?.of(each.number) }));
  return { listings: rows, categories: choice?.categories };
}
interface Shown extends Pick<ListingPage, "listings"> {
  outcome: Outcome | undefined;
}

/** How many listings the list has on all its pages; `count` is undefined if that is not known. */
function allOf(
  { listingCount }: Harmonization,
  { counts, isCounted }: Progress,
  list: Query & { found: number | undefined },
) {
  const { show, q, found, ...asked } = list;
  const { narrow: _, sort: _order, ...facets } = facetsIn(asked);
  const isNarrowed = Boolean(q?.trim()) || Object.keys(facets).length > 0;
  if (isNarrowed) return { count: found };
  return { count: show === undefined || show === "unwritten" ? listingCount : isCounted ? counts[show] : undefined };
}

/** Of the venues that can be deleted, those that other files hold; undefined while they are still counted. */
async function heldOf({ harmonizer }: Web, found: Harmonization): Promise<HeldView | undefined> {
  const { value } = await latelyOf(harmonizer.pool, found, "held", () => countHeld(harmonizer, found));
  return value && { ...value, lists: value.lists.filter((list) => list !== found.listId).length };
}

/** Rows that hold venues, with the number of other lists that they are in. */
export interface HeldView extends Pick<Held, "venues" | "rows"> {
  lists: number;
}

/** Of the listings that can be added, those that an add may hold back; undefined while they are still counted. */
const mistypedIn = async ({ harmonizer }: Web, found: Harmonization): Promise<number | undefined> =>
  (await latelyOf(harmonizer.pool, found, "mistyped", () => countMistyped(harmonizer, found))).value;

const deletesVenues = ({ directory }: Web): Promise<boolean> => directory.deletesVenues().catch(() => false);

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

/** So little was matched that the columns are probably wrong. */
function isNearlyEmpty({ matched, review, none, failed }: Counts): boolean {
  const found = matched + review;
  const asked = found + none + failed;
  return asked >= 20 && found < asked / 10;
}

/** `pending` is shown only if there are any. */
function tilesOf({ id, listingCount }: Harmonization, { counts, isCounted }: Progress, { show, q, ...asked }: Query) {
  const shown = SHOWN_OUTCOMES.filter((outcome) => outcome !== "pending" || counts.pending > 0);
  const of = outcomes();
  const all = { label: t("All"), icon: undefined, tone: "all", count: formatNumber(listingCount) };
  return [
    { ...all, href: hrefOf(id, { q, ...facetsIn(asked) }), isCurrent: show === undefined },
    ...shown.map((outcome) => ({
      ...of[outcome],
      count: isCounted ? formatNumber(counts[outcome]) : "…",
      href: hrefOf(id, { show: outcome, q, ...facetsIn(asked) }),
      isCurrent: show === outcome,
    })),
  ];
}

export type Tile = ReturnType<typeof tilesOf>[number];

function foundInWords({ listings, isCutShort }: ListingPage): string {
  const [first = 0, last = 0] = [listings[0]?.line, listings.at(-1)?.line];
  const lines =
    first === last
      ? t("Line {line, number} of the file", { line: first })
      : t("Rows {first, number}–{last, number}", { first, last });
  const found = listings.length === 0 ? t("None found so far") : lines;
  return isCutShort ? `${found}. ${t("There are more rows to search")}` : found;
}

function pageHref({ id }: Harmonization, { show, q, ...asked }: Query, edge: "before" | "after", page: ListingPage) {
  const at = page[edge];
  return at === undefined ? undefined : hrefOf(id, { show, q, ...facetsIn(asked), [edge]: String(at) });
}

const badCut = (typed: string, { reviewFrom }: Harmonization): CutProblem => ({
  acceptFrom: typed,
  reviewFrom: String(percentOf(reviewFrom)),
  message: t("Enter a number from 50 to 99.9."),
});
