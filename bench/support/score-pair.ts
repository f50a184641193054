import { NO_NEIGHBOURS } from "../../src/matching/common-words.ts";
import { compare } from "../../src/matching/compare.ts";
import { prepare, type Spot } from "../../src/matching/prepare.ts";
import { logOddsOf, scoreOf } from "../../src/matching/score.ts";

/** Returns the probability that two records are one spot, without considering others. A record may lack its position. */
export function scorePair(left: Spot, right: Spot): number {
  return scoreOf(logOddsOf(compare(prepare(left), prepare(right), NO_NEIGHBOURS)));
}
