import { inStretches } from "../../db/bulk.ts";
import { execute, queryRows } from "../../db/sql.ts";
import { CONFIDENT_CUT } from "../../matching/decide.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { type Lately, latelyOf } from "../run/lately.ts";

export interface Bin {
  from: number;
  /** Undecided: a cut at or below `from` accepts them. */
  listings: number;
  expectedWrong: number;
  /** Undecided, and not accepted at any cut: not clear. */
  heldBack: number;
  /** Decided one by one by a person; `judgedWrong`: for another venue or none. */
  judged: number;
  judgedWrong: number;
}

export interface Acceptance {
  from: number;
  accepted: number;
  wrong: number;
  heldBack: number;
  judged: number;
}

export const LEAST_CUT = 0.5;
export const GREATEST_CUT = 0.999;
const STEPS = Array.from({ length: 100 }, (_, step) => (500 + 5 * step) / 1000);

/** Returns the bins from LEAST_CUT up; for a large harmonization cached or undefined. */
export function acceptance(
  { pool }: Pick<Harmonizer, "pool">,
  h: Harmonization,
  more: number[] = [],
): Promise<Lately<Bin[]>> {
  return latelyOf(pool, h, `acceptance ${more}`, () => binsOf(pool, h, more));
}

async function binsOf(pool: Harmonizer["pool"], { id, listingCount }: Harmonization, more: number[]): Promise<Bin[]> {
  const edges = [...new Set([...STEPS, ...more])].filter((cut) => cut >= LEAST_CUT).sort((a, b) => a - b);
  const bins = edges.map((from) => ({ from, listings: 0, expectedWrong: 0, heldBack: 0, judged: 0, judgedWrong: 0 }));
  await inStretches(listingCount, STRETCH, async (after, upTo) => {
    // No score is certain: at least one in a thousand is wrong.
    const rows = await queryRows<Omit<Bin, "from"> & { bin: number }>(pool)`
  SELECT width_bucket(l.score, ${edges}::real[]) AS bin,
         (count(*) FILTER (WHERE l.is_clear AND l.decision IS NULL))::int AS listings,
         coalesce(sum(greatest(1 - l.score, 0.001)) FILTER (WHERE l.is_clear AND l.decision IS NULL), 0)::float8 AS "expectedWrong",
         (count(*) FILTER (WHERE NOT l.is_clear AND l.decision IS NULL))::int AS "heldBack",
         (count(*) FILTER (WHERE l.is_clear AND l.decided_how = 'person'))::int AS judged,
         (count(*) FILTER (WHERE l.is_clear AND l.decided_how = 'person' AND l.venue_id IS DISTINCT FROM l.best_id))::int AS "judgedWrong"
    FROM app.listing l
   WHERE l.harmonization_id = ${id} AND l.number > ${after} AND l.number <= ${upTo}
     AND l.status = 'asked' AND l.score >= ${LEAST_CUT}
   GROUP BY 1`;
    for (const row of rows) {
      const bin = bins[row.bin - 1];
      if (!bin) continue;
      for (const name of ["listings", "expectedWrong", "heldBack", "judged", "judgedWrong"] as const)
        bin[name] += row[name];
    }
  });
  return bins;
}

const STRETCH = 50_000;

/** Strata of scores: people judge more of the low ones. */
const STRATA = [LEAST_CUT, 0.7, CONFIDENT_CUT, 0.9, 0.95, 0.98];
/** Weight of the scores' prior, in judged listings. */
const WORTH = 20;

/**
 * Estimates what each cut accepts, and how much of it is wrong. The error rate of a stratum has a Beta prior: the
 * scores' mean, with weight WORTH. Judged listings update it, and the expectation of each bin is scaled like its
 * stratum's.
 */
export function cutsOf(bins: Bin[]): Acceptance[] {
  const corrections = STRATA.map((_, stratum) => correctionOf(bins.filter(({ from }) => stratumOf(from) === stratum)));
  const cuts: Acceptance[] = [];
  let [accepted, wrong, heldBack, judged] = [0, 0, 0, 0];
  for (const bin of bins.toReversed()) {
    accepted += bin.listings;
    wrong += bin.expectedWrong * (corrections[stratumOf(bin.from)] ?? 1);
    heldBack += bin.heldBack;
    judged += bin.judged;
    cuts.push({ from: bin.from, accepted, wrong: Math.min(wrong, accepted), heldBack, judged });
  }
  return cuts.reverse();
}

const stratumOf = (from: number): number => STRATA.findLastIndex((edge) => from >= edge);

function correctionOf(bins: Bin[]): number {
  const sum = (of: (bin: Bin) => number) => bins.reduce((total, bin) => total + of(bin), 0);
  const listings = sum((bin) => bin.listings);
  if (listings === 0) return 1;
  const expected = sum((bin) => bin.expectedWrong) / listings;
  const known = (WORTH * expected + sum((bin) => bin.judgedWrong)) / (WORTH + sum((bin) => bin.judged));
  return known / expected;
}

type Cuts = Pick<Harmonization, "acceptFrom" | "reviewFrom">;

/** Returns false while something runs, or if the cuts are no longer as `seen`. */
export async function moveCuts(
  { pool }: Pick<Harmonizer, "pool">,
  id: string,
  cuts: Cuts,
  seen?: Cuts,
): Promise<boolean> {
  const rowCount = await execute(pool)`
    UPDATE app.harmonization SET accept_from = ${cuts.acceptFrom}, review_from = ${cuts.reviewFrom}
     WHERE id = ${id} AND state IN ('ready', 'cancelled')
       AND (accept_from, review_from) = (coalesce(${seen?.acceptFrom ?? null}::real, accept_from), coalesce(${seen?.reviewFrom ?? null}::real, review_from))`;
  return rowCount === 1;
}
