import type { Match } from "./match.ts";
import type { Listing } from "./prepare.ts";

/** Least score of a match: below it "none of them" is the better answer. */
export const MATCH_CUT = 0.5;

/** Least score of what a person may want to look at. */
export const WORTH_A_LOOK = 0.05;

/** From this score on, and this far (log-odds) ahead of the second, nobody needs to look. */
export const CONFIDENT_CUT = 0.83;
export const MARGIN = 1;

/**
 * The matches worth showing, best first, and whether the first may be accepted without a person.
 *
 * @param matches best first
 * @param minScore moves the match cut; 0 keeps every candidate
 */
export function decide<V extends Listing>(
  matches: readonly Match<V>[],
  minScore = MATCH_CUT,
): { matches: Match<V>[]; confident: boolean } {
  const [first, second] = matches;
  const confident =
    first !== undefined &&
    !first.mayBePart &&
    first.score >= Math.max(CONFIDENT_CUT, minScore) &&
    (second === undefined || logOdds(first.score) - logOdds(second.score) >= MARGIN);
  return { matches: matches.filter(({ score }) => score >= minScore), confident };
}

const logOdds = (score: number) => Math.log(score / (1 - score));
