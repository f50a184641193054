import type { Match } from "./match.ts";
import type { Listing } from "./prepare.ts";
import { logOdds } from "./score.ts";

/** Lowest score of a match: below it, "none of them" is the better answer. */
export const MATCH_CUT = 0.5;

/** Lowest score of a candidate that a person may want to see. */
export const WORTH_A_LOOK = 0.05;

/** Lowest score of the one candidate to show a person where none is worth a look: "Yoga" for "River Yoga". */
export const BETTER_THAN_NONE = 0.01;

/** Lowest score, and lowest lead over the second (log-odds), of a match that needs no review. */
export const CONFIDENT_CUT = 0.77;
export const MARGIN = 0.5;

/**
 * Returns the matches worth showing, best first, and whether the first may be accepted without review.
 *
 * @param matches best first
 * @param minScore lowest score to return; 0 keeps every candidate. Up to WORTH_A_LOOK it also keeps candidates at the
 *   listing's address with any score, because their position may be wrong
 */
export function decideMatches<V extends Listing>(
  matches: readonly Match<V>[],
  minScore = MATCH_CUT,
): { matches: Match<V>[]; confident: boolean } {
  const [first, second] = matches;
  const confident =
    first !== undefined &&
    !first.needsReview &&
    first.score >= Math.max(CONFIDENT_CUT, minScore) &&
    (second === undefined || logOdds(first.score) - logOdds(second.score) >= MARGIN);
  const isWorthALook = ({ isAtAddress }: Match<V>) => isAtAddress && minScore <= WORTH_A_LOOK;
  return { matches: matches.filter((match) => match.score >= minScore || isWorthALook(match)), confident };
}
