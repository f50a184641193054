import type { Harmonization } from "../run/harmonizations.ts";
import type { Candidate, Outcome, Problem } from "../run/rows.ts";

/** For a listing without any candidate. */
export const NO_CANDIDATE = "The directory knows no venue that is like this one";
export const NOT_ASKED = "The directory has not been asked about this listing yet";
/** For a listing whose venue was to be added. */
export const notAdded = ({ message }: Problem): string => `Not added: ${message}`;

interface Undecided {
  outcome: Outcome;
  score: number | null;
  problem: Problem | null;
  /** The best candidate. */
  chosen: Candidate | null;
  skipped_at: Date | null;
}

/** Why a listing that nobody has decided has its outcome, in parts; at least one. */
export function whyUndecided(listing: Undecided, cuts: Pick<Harmonization, "acceptFrom" | "reviewFrom">): string[] {
  const { outcome, problem, chosen, skipped_at } = listing;
  if (outcome === "failed") return [problem?.message ?? "It could not be matched."];
  if (outcome === "pending") return [NOT_ASKED];
  if (outcome === "matched") return [`score ${scoreText(listing.score)}, accepted from ${scoreText(cuts.acceptFrom)}`];
  const rest = problem ? [notAdded(problem)] : [];
  if (!chosen) return [...rest, NO_CANDIDATE];
  return [...(skipped_at && outcome === "review" ? ["put off"] : []), ...rest, best(listing, chosen, cuts)];
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
      ? `looked at from ${scoreText(reviewFrom)}`
      : score < acceptFrom
        ? `accepted from ${scoreText(acceptFrom)}`
        : "not clearly the only one";
  return `${called}, score ${scoreText(score)}, ${why}`;
}

/** Four decimals at most: more are noise. */
export const scoreText = (score: number | null | undefined): string => (score == null ? "" : String(+score.toFixed(4)));
