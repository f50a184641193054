import { compare } from "../../src/matching/compare.ts";
import { prepare, type Spot } from "../../src/matching/prepare.ts";
import { logOddsOf, scoreOf } from "../../src/matching/score.ts";

/** The chance that two records are one spot, without looking at others. A record may lack its position. */
export function scorePair(left: Spot, right: Spot): number {
  return scoreOf(logOddsOf(compare(prepare(left), prepare(right), () => 0)));
}
