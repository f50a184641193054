import { formatNumber } from "../../language/format.ts";
import { reasonInWords } from "../../language/sentences.ts";
import { t } from "../../language/translate.ts";
import { isRivalled, LEAST_WEIGHT } from "../run/candidates.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { Problem } from "../run/problems/problems.ts";
import type { Reason } from "../run/problems/reasons.ts";
import { SHARED } from "../run/problems/slips.ts";
import { wordsOf } from "../run/problems/words.ts";
import type { Candidate, Outcome, Was } from "../run/rows.ts";

export const noCandidate = () => t("The directory has no venue similar to this row");
export const notAsked = () => t("The directory has not been asked about this row yet");
export const notAdded = (problem: Problem): string => t("Not added: {why}", { why: wordsOf(problem) });

export const whyFailed = ({ problem }: { problem: Problem | null }): string =>
  problem ? wordsOf(problem) : t("This row could not be matched.");

interface Undecided {
  outcome: Outcome;
  score: number | null;
  is_clear: boolean;
  problem: Problem | null;
  why: Reason | null;
  chosen: Candidate | null;
  second: Candidate | null;
  skipped_at: Date | null;
  /** `repaired.by` of its query. */
  repaired: string | null;
  was: Was | null;
}

/** Why a listing that has changed since an earlier edition is reviewed, whatever its score. */
export const whyChanged = ({ decision, byRepair }: Was): string =>
  byRepair
    ? t("changed by a repair of this list since it was decided")
    : t(
        "{decision, select, matched {changed since the edition in which it was matched} added {changed since the edition in which its venue was added} annotated {changed since its id was written to a venue} other {changed since the edition in which no venue was right}}",
        { decision },
      );

export function whyUndecided(listing: Undecided, cuts: Pick<Harmonization, "acceptFrom" | "reviewFrom">): string[] {
  const { outcome, problem, chosen, skipped_at } = listing;
  if (outcome === "failed") return [whyFailed(listing)];
  if (outcome === "pending") return [notAsked()];
  if (outcome === "matched")
    return [
      t("{score}, accepted from {cut}", { score: percentText(listing.score), cut: percentText(cuts.acceptFrom) }),
    ];
  const rest = problem ? [notAdded(problem)] : [];
  if (listing.was && outcome === "review") return [...rest, whyChanged(listing.was)];
  if (!chosen) return [...rest, noCandidate()];
  return [...(skipped_at && outcome === "review" ? [t("skipped")] : []), ...rest, best(listing, chosen, cuts)];
}

function best(
  { outcome, score, is_clear, second, repaired, why }: Undecided,
  chosen: Candidate,
  { acceptFrom, reviewFrom }: Pick<Harmonization, "acceptFrom" | "reviewFrom">,
): string {
  const { name } = chosen;
  if (score === null)
    return chosen.score === undefined
      ? t("best candidate “{name}”, without a score", { name })
      : t("best candidate “{name}”, {score}, found while adding the row", {
          name,
          score: percentText(chosen.score),
        });
  if (outcome === "none")
    return t("best candidate “{name}”, {score} (your limit for review is {cut})", {
      name,
      score: besideText(score, reviewFrom),
      cut: percentText(reviewFrom),
    });
  const known = { name, score: besideText(score, acceptFrom), cut: percentText(acceptFrom) };
  if (is_clear && score < acceptFrom) return t("best candidate “{name}”, {score} (your limit is {cut})", known);
  if (why?.code === "sent_back") return t("best candidate “{name}”, {score}", known);
  const held = { ...known, why: whyHeldBack(chosen, second, repaired) };
  return score < acceptFrom
    ? t("best candidate “{name}”, {score} (your limit is {cut}), needs review: {why}", held)
    : t("best candidate “{name}”, {score}, needs review: {why}", held);
}

const besideText = (score: number, limit: number): string => `${formatNumber(percentBeside(score, limit))} %`;

/**
 * Why a match is reviewed, whatever its score.
 *
 * @param repaired `repaired.by` of the listing's query: what we hold back ourselves is not the directory's doubt
 */
export function whyHeldBack(
  best: Candidate,
  second: Candidate | null | undefined,
  repaired: string | null | undefined,
): string {
  if (second && isRivalled(best, second))
    return second.score === undefined
      ? t("“{name}” is almost as likely", { name: second.name })
      : t("“{name}” is almost as likely, {score}", { name: second.name, score: percentText(second.score) });
  const doubts = (best.evidence ?? []).filter(isDoubt).toSorted((a, b) => a.weight - b.weight);
  if (doubts.length > 0) {
    const strongest = doubts.slice(0, 2).map(({ text }) => reasonInWords(text));
    return strongest.join("; ");
  }
  return repaired === SHARED
    ? t("other rows with this name have the same position but other addresses")
    : t("the directory asks for a person to decide this match");
}

/** A contradiction counts even if it weighs little, but some metres are none. */
const isDoubt = ({ comparison, weight }: { comparison: string; weight: number }): boolean =>
  comparison === "distance" ? weight <= -LEAST_WEIGHT : weight < 0;

/** A score in percent: "95.3 %", and never more than it is: 99.97 % is not 100 %. */
export const percentText = (score: number | null | undefined): string =>
  score == null ? "" : `${formatNumber(percentOf(score))} %`;

/** A score in percent, to one decimal, on its side of a limit: 76.98 % is not "77 %, below the limit of 77 %". */
export function percentBeside(score: number, limit: number): number {
  const percent = percentOf(score);
  const least = percentOf(limit);
  return score < limit && percent >= least ? (least * 10 - 1) / 10 : percent;
}

/** A score in percent, to one decimal, rounded down near 100. */
export const percentOf = (score: number): number => (score < 1 ? Math.min(99.9, Math.round(score * 1000) / 10) : 100);

/** A score from 0 to 1, as programs read it. */
export const scoreText = (score: number | null | undefined): string => (score == null ? "" : String(+score.toFixed(4)));
