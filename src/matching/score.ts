import type { ComparisonName, Comparisons } from "./compare.ts";
import type { Likeness } from "./rivals.ts";
import { type Curve, WEIGHTS, type Weights } from "./weights.ts";

/** Returns the log-odds that two records with these comparisons are one spot. */
export function logOddsOf(comparisons: Comparisons, weights = weightsFor(comparisons)): number {
  let sum = weights.bias;
  const { names, curves } = listed(weights);
  for (let at = 0; at < names.length; at++) sum += added(curves[at], comparisons[names[at] as ComparisonName]);
  return sum;
}

/** Returns the curves as arrays. Cached, because listing the keys of an object takes as long as the whole sum. */
function listed(weights: Weights) {
  const known = LISTED.get(weights);
  if (known) return known;
  const lists = {
    names: Object.keys(weights.curves) as ComparisonName[],
    curves: Object.values(weights.curves) as Curve[],
  };
  LISTED.set(weights, lists);
  return lists;
}

const LISTED = new WeakMap<Weights, { names: ComparisonName[]; curves: Curve[] }>();

/** Returns no less than the log-odds of a spot with this outline: what the outline lacks is as good as it can be. */
export function logOddsAtMost(outline: Likeness): number {
  let sum = MOST_OF_OTHERS;
  for (const name of OUTLINED) sum += added(WEIGHTS.placed.curves[name], outline[name]);
  return sum;
}

const OUTLINED = ["trigrams", "contained", "shared", "firstWord", "telling", "sameKind", "distance"] as const;

/** `outlineOf` returns no outline of a spot that has these. */
const EXCLUDED: ComparisonName[] = ["sound", "sameAddress", "samePhone", "phoneAtHouse", "sameTwitter"];

const MOST_OF_OTHERS = Object.entries(WEIGHTS.placed.curves).reduce((sum, [name, { adds, missing = 0 }]) => {
  if (name === "otherWord") return sum + (adds.at(-1) ?? 0);
  const isKnown = [...OUTLINED, ...EXCLUDED].includes(name as ComparisonName);
  return isKnown ? sum : sum + Math.max(missing, ...adds);
}, WEIGHTS.placed.bias);

export const scoreOf = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

export const logOdds = (score: number): number => Math.log(score / (1 - score));

/** Returns what one comparison adds to the log-odds. */
export const weightOf = (name: ComparisonName, comparisons: Comparisons): number =>
  added(weightsFor(comparisons).curves[name], comparisons[name]);

/** Returns the log-odds before any comparison: negative, because most candidates do not match. */
export const biasOf = (comparisons: Comparisons): number => weightsFor(comparisons).bias;

/** Pairs without a distance have their own weights for everything else. */
const weightsFor = ({ distance }: Comparisons): Weights => (distance === undefined ? WEIGHTS.unplaced : WEIGHTS.placed);

function added(curve: Curve | undefined, value: number | undefined): number {
  if (!curve) return 0;
  return value === undefined ? (curve.missing ?? 0) : valueAt(curve, value);
}

/** Interpolates linearly between the points of a curve. */
function valueAt({ at, adds }: Curve, value: number): number {
  if (value === 0 && at[0] === 0) return adds[0] as number;
  let next = 1;
  while (next < at.length - 1 && value > (at[next] as number)) next++;
  const [from, to] = [at[next - 1] as number, at[next] as number];
  const share = Math.max(0, Math.min(1, (value - from) / (to - from)));
  return (adds[next - 1] as number) + share * ((adds[next] as number) - (adds[next - 1] as number));
}
