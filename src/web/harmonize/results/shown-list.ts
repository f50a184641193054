import { z } from "zod";
import type { ListingPage } from "../../../harmonize/results/listings.ts";
import type { Progress } from "../../../harmonize/results/progress.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import type { Outcome } from "../../../harmonize/run/rows.ts";
import { formatNumber } from "../../../language/format.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";
import { facetsIn } from "../base/filter.ts";
import { type Counts, outcomes, SHOWN_OUTCOMES } from "../base/outcomes.ts";
import { reviewHref } from "../review/place.ts";
import { categoryChoice } from "./categories.ts";
import { hrefOf, listFields } from "./list.ts";
import { listingRow } from "./listings.ts";

/** `cut` is one to preview. */
export const query = listFields.extend({ cut: z.string().max(100).optional() });
export type Query = z.output<typeof query>;

/** The address of the review of what the list shows, if it has only what a review can be narrowed by. */
export function reviewOf(h: Harmonization, { show, q, after: _, before: __, cut: ___, narrow: ____, ...asked }: Query) {
  const { from: least, problem, removed, asked: person, ...queue } = asked;
  const isReviewable = show === "review" || show === "none" || show === "failed";
  if (!isReviewable || q || problem || removed || person) return undefined;
  return reviewHref(h, { show, ...queue, least });
}

export const headingOf = (show: string | undefined, tiles: Tile[]): string =>
  show ? (tiles.find(({ isCurrent }) => isCurrent)?.label ?? t("Ids that were not written")) : t("All rows");

/** The rows, and the categories to choose from for those without a match. */
export async function rowsOf(web: Web, member: Member, h: Harmonization, { outcome, listings }: Shown) {
  const numbers = listings.map(({ number }) => number);
  const choice = outcome === "none" ? await categoryChoice(web, member, h, numbers) : undefined;
  const rows = listings.map((each) => ({ ...listingRow(h, each), category: choice?.of(each.number) }));
  return { listings: rows, categories: choice?.categories };
}
interface Shown extends Pick<ListingPage, "listings"> {
  outcome: Outcome | undefined;
}

/** How many listings the list has on all its pages; `count` is undefined if that is not known. */
export function allOf(
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

/** So little was matched that the columns are probably wrong. */
export function isNearlyEmpty({ matched, review, none, failed }: Counts): boolean {
  const found = matched + review;
  const asked = found + none + failed;
  return asked >= 20 && found < asked / 10;
}

/** `pending` is shown only if there are any. */
export function tilesOf(
  { id, listingCount }: Harmonization,
  { counts, isCounted }: Progress,
  { show, q, ...asked }: Query,
) {
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

export function foundInWords({ listings, isCutShort }: ListingPage): string {
  const [first = 0, last = 0] = [listings[0]?.line, listings.at(-1)?.line];
  const lines =
    first === last
      ? t("Line {line, number} of the file", { line: first })
      : t("Rows {first, number}–{last, number}", { first, last });
  const found = listings.length === 0 ? t("None found so far") : lines;
  return isCutShort ? `${found}. ${t("There are more rows to search")}` : found;
}

export function pageHref(
  { id }: Harmonization,
  { show, q, ...asked }: Query,
  edge: "before" | "after",
  page: ListingPage,
) {
  const at = page[edge];
  return at === undefined ? undefined : hrefOf(id, { show, q, ...facetsIn(asked), [edge]: String(at) });
}
