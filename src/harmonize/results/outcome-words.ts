import type { Harmonization } from "../run/harmonizations.ts";
import type { Problem } from "../run/problems.ts";
import type { Candidate, Outcome } from "../run/rows.ts";
import { wordsOf } from "../run/words.ts";

export const NO_CANDIDATE = "The directory has no venue similar to this listing";
export const NOT_ASKED = "The directory has not been asked about this listing yet";
export const notAdded = (problem: Problem): string => `Not added: ${wordsOf(problem)}`;

export const whyFailed = ({ problem }: { problem: Problem | null }): string =>
  problem ? wordsOf(problem) : "This listing could not be matched.";

interface Undecided {
  outcome: Outcome;
  score: number | null;
  problem: Problem | null;
  chosen: Candidate | null;
  skipped_at: Date | null;
}

export function whyUndecided(listing: Undecided, cuts: Pick<Harmonization, "acceptFrom" | "reviewFrom">): string[] {
  const { outcome, problem, chosen, skipped_at } = listing;
  if (outcome === "failed") return [whyFailed(listing)];
  if (outcome === "pending") return [NOT_ASKED];
  if (outcome === "matched") return [`score ${scoreText(listing.score)}, accepted from ${scoreText(cuts.acceptFrom)}`];
  const rest = problem ? [notAdded(problem)] : [];
  if (!chosen) return [...rest, NO_CANDIDATE];
  return [...(skipped_at && outcome === "review" ? ["skipped"] : []), ...rest, best(listing, chosen, cuts)];
}

function best(
  { outcome, score }: Undecided,
  { name }: Candidate,
  { acceptFrom, reviewFrom }: Pick<Harmonization, "acceptFrom" | "reviewFrom">,
): string {
  const called = `best candidate “${name}”`;
  if (score === null) return `${called}, without a score`;
  const why =
    outcome === "none"
      ? `reviewed from ${scoreText(reviewFrom)}`
      : score < acceptFrom
        ? `accepted from ${scoreText(acceptFrom)}`
        : "not clearly the only one";
  return `${called}, score ${scoreText(score)}, ${why}`;
}

export const scoreText = (score: number | null | undefined): string => (score == null ? "" : String(+score.toFixed(4)));
