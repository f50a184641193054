import { inStretches } from "../../db/stretches.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { type Lately, latelyOf } from "../run/lately.ts";

/** Listings whose best candidate has a score from `from` up to the next bin's, and no other comes near it. */
export interface Bin {
  from: number;
  /** That nobody has decided: a cut at or below `from` accepts them. */
  listings: number;
  /** How many of them the scores expect to be wrong. */
  expectedWrong: number;
  /** That a person looked at and decided one by one, and those of them whose best candidate was not their venue. */
  judged: number;
  judgedWrong: number;
}

/** What a cut comes to. */
export interface Acceptance {
  from: number;
  /** Listings that it accepts without a person. */
  accepted: number;
  /** How many of them are wrong, as far as one can tell. */
  wrong: number;
  /** Listings at or above it that people judged. */
  judged: number;
}

/** Least and greatest cut, and the steps of those in between that are reckoned. */
export const LEAST_CUT = 0.5;
export const GREATEST_CUT = 0.999;
const STEPS = Array.from({ length: 100 }, (_, step) => (500 + 5 * step) / 1000);

/**
 * The bins of a harmonization, from the least cut up; of a large one as they were some seconds ago, or undefined.
 *
 * @param more cuts beside the usual steps of 0.005, where bins are to begin
 */
export function acceptance(
  { pool }: Pick<Harmonizer, "pool">,
  h: Harmonization,
  more: number[] = [],
): Promise<Lately<Bin[]>> {
  return latelyOf(pool, h, `acceptance ${more}`, () => binsOf(pool, h, more));
}

async function binsOf(pool: Harmonizer["pool"], { id, listingCount }: Harmonization, more: number[]): Promise<Bin[]> {
  const edges = [...new Set([...STEPS, ...more])].filter((cut) => cut >= LEAST_CUT).sort((a, b) => a - b);
  const bins = edges.map((from) => ({ from, listings: 0, expectedWrong: 0, judged: 0, judgedWrong: 0 }));
  await inStretches(listingCount, STRETCH, async (after, upTo) => {
    const { rows } = await pool.query<Omit<Bin, "from"> & { bin: number }>({
      name: "acceptance",
      text: BINS,
      values: [id, after, upTo, edges],
    });
    for (const row of rows) {
      const bin = bins[row.bin - 1];
      if (!bin) continue;
      for (const name of ["listings", "expectedWrong", "judged", "judgedWrong"] as const) bin[name] += row[name];
    }
  });
  return bins;
}

/** Numbers that one statement looks through. */
const STRETCH = 50_000;

// No score is certainty: one in a thousand is wrong at the best.
const BINS = `
  SELECT width_bucket(l.score, $4::real[]) AS bin,
         (count(*) FILTER (WHERE l.decision IS NULL))::int AS listings,
         coalesce(sum(greatest(1 - l.score, 0.001)) FILTER (WHERE l.decision IS NULL), 0)::float8 AS "expectedWrong",
         (count(*) FILTER (WHERE l.decided_how = 'person'))::int AS judged,
         (count(*) FILTER (WHERE l.decided_how = 'person' AND l.venue_id IS DISTINCT FROM l.best_id))::int AS "judgedWrong"
    FROM app.listing l
   WHERE l.harmonization_id = $1 AND l.number > $2 AND l.number <= $3
     AND l.status = 'asked' AND l.is_clear AND l.score >= $4[1]
   GROUP BY 1`;

/** Scores are looked at in these strata, because people judge more of the low ones than of the high. */
const STRATA = [0.5, 0.7, 0.83, 0.9, 0.95, 0.98];
/** The scores of a stratum say as much as so many judged listings. */
const WORTH = 20;

/**
 * What each cut at the beginning of a bin comes to. The share of a stratum that is wrong is taken for Beta distributed:
 * before anybody judges its mean is what the scores expect, with the weight of WORTH judged listings; each judged one
 * counts as it is. The expectation of each bin is then corrected as that of its stratum is.
 */
export function cutsOf(bins: Bin[]): Acceptance[] {
  const corrections = STRATA.map((_, stratum) => correctionOf(bins.filter(({ from }) => stratumOf(from) === stratum)));
  const cuts: Acceptance[] = [];
  let [accepted, wrong, judged] = [0, 0, 0];
  for (const bin of bins.toReversed()) {
    accepted += bin.listings;
    wrong += bin.expectedWrong * (corrections[stratumOf(bin.from)] ?? 1);
    judged += bin.judged;
    cuts.push({ from: bin.from, accepted, wrong: Math.min(wrong, accepted), judged });
  }
  return cuts.reverse();
}

const stratumOf = (from: number): number => STRATA.findLastIndex((edge) => from >= edge);

/** What the expectation of a stratum is multiplied by. */
function correctionOf(bins: Bin[]): number {
  const sum = (of: (bin: Bin) => number) => bins.reduce((total, bin) => total + of(bin), 0);
  const listings = sum((bin) => bin.listings);
  if (listings === 0) return 1;
  const expected = sum((bin) => bin.expectedWrong) / listings;
  const known = (WORTH * expected + sum((bin) => bin.judgedWrong)) / (WORTH + sum((bin) => bin.judged));
  return known / expected;
}

type Cuts = Pick<Harmonization, "acceptFrom" | "reviewFrom">;

/** Moves both cuts. False while something runs, or where they are no longer as somebody has `seen` them. */
export async function moveCuts(
  { pool }: Pick<Harmonizer, "pool">,
  id: string,
  cuts: Cuts,
  seen?: Cuts,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "move-cuts",
    text: `UPDATE app.harmonization SET accept_from = $2, review_from = $3
      WHERE id = $1 AND state IN ('ready', 'cancelled')
        AND (accept_from, review_from) = (coalesce($4::real, accept_from), coalesce($5::real, review_from))`,
    values: [id, cuts.acceptFrom, cuts.reviewFrom, seen?.acceptFrom, seen?.reviewFrom],
  });
  return rowCount === 1;
}
