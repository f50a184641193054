import type { Field } from "../../../files/columns.ts";
import { byAddressReason } from "../../../harmonize/query/by-address.ts";
import { textOf } from "../../../harmonize/query/corrected.ts";
import { mendInWords } from "../../../harmonize/query/mend.ts";
import type { HowAsked } from "../../../harmonize/query/repaired-row.ts";
import { repairsInWords } from "../../../harmonize/query/row-changes.ts";
import type { ListedListing } from "../../../harmonize/results/listings.ts";
import { noCandidate, whyChanged, whyHeldBack } from "../../../harmonize/results/outcome-words.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { creditOf } from "../../../harmonize/run/problems/reasons.ts";
import { repairReason } from "../../../harmonize/run/problems/slips.ts";
import { wordsOf } from "../../../harmonize/run/problems/words.ts";
import type { Candidate } from "../../../harmonize/run/rows.ts";
import { shownTime } from "../../../http/pages/times.ts";
import { categoryName } from "../../../language/names.ts";
import { reasonInWords } from "../../../language/sentences.ts";
import { t } from "../../../language/translate.ts";
import { certaintyOf, eachFactOnce } from "../../venues/match-card.ts";
import { creditsOf, venueHref } from "../../venues/view.ts";
import { beginningOf } from "../base/beginning.ts";
import { outcomes, type ShownOutcome } from "../base/outcomes.ts";
import { troubleInWords } from "../review/words.ts";
import { rowValue } from "./row-value.ts";

export function listingRow(h: HowAsked & Pick<Harmonization, "id" | "acceptFrom">, listing: ListedListing) {
  const { id, acceptFrom } = h;
  const { number, line, query, outcome, decision, venue_id, chosen, score, decided_at } = listing;
  const cell = (field: Field) => textOf(listing, h, field).trim() || undefined;
  const shown = (field: Field) => beginningOf(cell(field) ?? "") || undefined;
  /** What the venue has and the listing has not, or in another way: the rest stands beside it. */
  const other = (field: "address" | "city") =>
    chosen?.[field]?.toLowerCase() === cell(field)?.toLowerCase() ? undefined : chosen?.[field];
  const venueId = venue_id ?? chosen?.id;
  const isRejected = decision === "rejected" || outcome === "failed";
  return {
    lineNumber: line,
    /** Of a listing that may be added: its category, and how it was guessed. */
    category: undefined as { name: string; how: string } | undefined,
    /** Its checkbox. */
    row: rowValue(listing),
    href: `/harmonizations/${id}/review/${number}`,
    name: query?.name ?? shown("name") ?? t("No name"),
    line: [shown("address"), shown("city")].filter(Boolean).join(", "),
    ownId: shown("id"),
    venue:
      venueId === undefined || isRejected
        ? undefined
        : {
            name: listing.venue_name ?? chosen?.name ?? venueId,
            line: [chosen?.category && categoryName(chosen.category), other("address"), other("city")]
              .filter(Boolean)
              .join(" · "),
            href: venueHref(venueId),
            credit: creditsOf([{ credit: creditOf(listing) }]),
          },
    sure:
      decision === null && chosen
        ? certaintyOf(chosen.score ?? score ?? undefined, { limit: acceptFrom, isWaiting: outcome === "review" })?.sure
        : undefined,
    outcome: labelled(outcome, listing),
    why: [
      whyOf(listing, acceptFrom),
      repairReason(query?.repaired?.by),
      byAddressReason(query?.byAddress),
      repairsInWords(listing.cells, h),
      mendInWords(query?.mended),
    ]
      .filter(Boolean)
      .join("; "),
    trouble: troubleInWords({ ...listing, annotationProblem: listing.annotation_problem }),
    notes: listing.notes ?? undefined,
    who: whoOf(listing),
    at: decided_at ? shownTime(decided_at) : undefined,
  };
}

export type ListingRow = ReturnType<typeof listingRow>;

function labelled(outcome: ListedListing["outcome"], { decision }: ListedListing): ShownOutcome {
  const shown = outcomes()[outcome];
  if (decision === "added") return { ...shown, label: t("Added"), icon: "plus" };
  return decision === "rejected" ? { ...shown, label: t("Rejected") } : shown;
}

/** Nothing for what the score decided, as most of a file is. */
function whoOf({ decision, decided_how, decided_by }: ListedListing): string {
  if (decision === null) return "";
  if (decided_how === "kept")
    return decided_by
      ? t("Kept from the previous edition: {who}", { who: decided_by })
      : t("Kept from the previous edition");
  const who = decided_by ?? t("A former member");
  return decided_how === "person" ? who : t("{who}, together with other rows", { who });
}

function whyOf(
  { outcome, decision, why, was, problem, chosen, second, score, query }: ListedListing,
  acceptFrom: number,
): string {
  if (outcome === "failed") return problem ? wordsOf(problem) : "";
  if (why?.code === "evidence" && chosen?.evidence?.length) return evidenceInWords(chosen);
  if (why) return wordsOf(why);
  if (decision === "rejected") return "";
  if (was && outcome === "review") return whyChanged(was);
  const isHeldBack = outcome === "review" && chosen && score !== null && score >= acceptFrom;
  if (isHeldBack) return t("needs review: {why}", { why: whyHeldBack(chosen, second, query?.repaired?.by) });
  return chosen ? evidenceInWords(chosen, outcome === "none") : outcome === "none" ? noCandidate() : "";
}

/** What decided stands first. `isAgainst`: the candidate was not accepted. */
function evidenceInWords({ evidence = [] }: Candidate, isAgainst = false): string {
  const sorted = eachFactOnce(evidence);
  const good = sorted.filter(({ weight }) => weight > 0).slice(0, 3);
  const bad = sorted.filter(({ weight }) => weight < 0).slice(0, 2);
  const told = (reasons: typeof evidence) => reasons.map(({ text }) => reasonInWords(text)).join("; ");
  if (bad.length === 0) return told(good);
  if (good.length === 0) return told(bad);
  return isAgainst
    ? t("{bad}, although {good}", { good: told(good), bad: told(bad) })
    : t("{good}; but {bad}", { good: told(good), bad: told(bad) });
}
