import type { ComparisonName, Comparisons } from "./compare.ts";
import { type Curve, WEIGHTS, type Weights } from "./weights.ts";

/** The log-odds that two records with these comparisons are one spot. */
export function logOddsOf(comparisons: Comparisons, weights = weightsFor(comparisons)): number {
  let sum = weights.bias;
  for (const name in weights.curves)
    sum += added(weights.curves[name as ComparisonName], comparisons[name as ComparisonName]);
  return sum;
}

export const scoreOf = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** What one of the comparisons adds to the log-odds. */
export const weightOf = (name: ComparisonName, comparisons: Comparisons): number =>
  added(weightsFor(comparisons).curves[name], comparisons[name]);

/** The log-odds with which it begins: what speaks for a candidate has to outweigh that most are not it. */
export const biasOf = (comparisons: Comparisons): number => weightsFor(comparisons).bias;

/** Without a position everything else counts in another way. */
const weightsFor = ({ distance }: Comparisons): Weights => (distance === undefined ? WEIGHTS.unplaced : WEIGHTS.placed);

function added(curve: Curve | undefined, value: number | undefined): number {
  if (!curve) return 0;
  return value === undefined ? (curve.missing ?? 0) : valueAt(curve, value);
}

/** Straight lines between the points of a curve. */
function valueAt({ at, adds }: Curve, value: number): number {
  let next = 1;
  while (next < at.length - 1 && value > (at[next] as number)) next++;
  const [from, to] = [at[next - 1] as number, at[next] as number];
  const share = Math.max(0, Math.min(1, (value - from) / (to - from)));
  return (adds[next - 1] as number) + share * ((adds[next] as number) - (adds[next - 1] as number));
}
