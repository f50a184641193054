import { inStretches } from "../../db/bulk.ts";
import { execute, queryRows } from "../../db/sql.ts";
import { CONFIDENT_CUT } from "../../matching/decide.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { type RecentResult, recentResultOf } from "../run/recent-result.ts";

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
  /** As many of the judged as their scores expect to be wrong. */
  judgedExpected: number;
}

export interface Acceptance {
  from: number;
  accepted: number;
  wrong: number;
  heldBack: number;
  /** Of the whole list: what was judged below the cut tells of what is above. */
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
): Promise<RecentResult<Bin[]>> {
  return recentResultOf(pool, h, `acceptance ${more}`, () => binsOf(pool, h, more));
}

async function binsOf(pool: Harmonizer["pool"], { id, listingCount }: Harmonization, more: number[]): Promise<Bin[]> {
  const edges = [...new Set([...STEPS, ...more])].filter((cut) => cut >= LEAST_CUT).sort((a, b) => a - b);
  const bins = edges.map((from) => ({
    from,
    listings: 0,
    expectedWrong: 0,
    heldBack: 0,
    judged: 0,
    judgedWrong: 0,
    judgedExpected: 0,
  }));
  await inStretches(listingCount, STRETCH, async (after, upTo) => {
    // No score is certain: at least one in a thousand is wrong.
    const rows = await queryRows<Omit<Bin, "from"> & { bin: number }>(pool)`
  SELECT width_bucket(l.score, ${edges}::real[]) AS bin,
         (count(*) FILTER (WHERE l.is_clear AND l.decision IS NULL))::int AS listings,
         coalesce(sum(greatest(1 - l.score, 0.001)) FILTER (WHERE l.is_clear AND l.decision IS NULL), 0)::float8 AS "expectedWrong",
         (count(*) FILTER (WHERE NOT l.is_clear AND l.decision IS NULL))::int AS "heldBack",
         (count(*) FILTER (WHERE l.is_clear AND l.decided_how = 'person'))::int AS judged,
         (count(*) FILTER (WHERE l.is_clear AND l.decided_how = 'person' AND l.venue_id IS DISTINCT FROM l.best_id))::int AS "judgedWrong",
         coalesce(sum(greatest(1 - l.score, 0.001)) FILTER (WHERE l.is_clear AND l.decided_how = 'person'), 0)::float8 AS "judgedExpected"
    FROM app.listing l
   WHERE l.harmonization_id = ${id} AND l.number > ${after} AND l.number <= ${upTo}
     AND l.status = 'asked' AND l.score >= ${LEAST_CUT}
   GROUP BY 1`;
    for (const row of rows) {
      const bin = bins[row.bin - 1];
      if (!bin) continue;
      for (const name of COUNTED) bin[name] += row[name];
    }
  });
  return bins;
}

const COUNTED = ["listings", "expectedWrong", "heldBack", "judged", "judgedWrong", "judgedExpected"] as const;

const STRETCH = 50_000;

/** Strata of scores: people judge more of the low ones. */
const STRATA = [LEAST_CUT, 0.7, CONFIDENT_CUT, 0.9, 0.95, 0.98];
/** Weight of the scores' prior, in judged listings. */
const WORTH = 20;
/** Weight of the prior that as many are wrong as the scores say, in expected wrong ones. */
const WORTH_WRONG = 2;
/** What other strata tell of one: at most that it is so many times more or less often wrong than the scores say. */
const MOST_TIMES = 4;

/**
 * Estimates what each cut accepts, and how much of it is wrong. The error rate of a stratum has a Beta prior: the
 * scores' mean, times how much more or less often they were wrong in the other strata, with weight WORTH. So it follows what people decide,
 * although they review what no cut accepts. Judged listings update it, and the expectation of each bin is scaled like its stratum's.
 */
export function cutsOf(bins: Bin[]): Acceptance[] {
  const corrections = STRATA.map((_, stratum) => correctionOf(bins, stratum));
  const cuts: Acceptance[] = [];
  const judged = sumOf(bins, "judged");
  let [accepted, wrong, heldBack] = [0, 0, 0];
  for (const bin of bins.toReversed()) {
    accepted += bin.listings;
    wrong += bin.expectedWrong * (corrections[stratumOf(bin.from)] ?? 1);
    heldBack += bin.heldBack;
    cuts.push({ from: bin.from, accepted, wrong: Math.min(wrong, accepted), heldBack, judged });
  }
  return cuts.reverse();
}

const stratumOf = (from: number): number => STRATA.findLastIndex((edge) => from >= edge);

const sumOf = (bins: Bin[], count: (typeof COUNTED)[number]): number =>
  bins.reduce((total, bin) => total + bin[count], 0);

function correctionOf(all: Bin[], stratum: number): number {
  const bins = all.filter(({ from }) => stratumOf(from) === stratum);
  const others = all.filter(({ from }) => stratumOf(from) !== stratum);
  const listings = sumOf(bins, "listings");
  if (listings === 0) return 1;
  const expected = sumOf(bins, "expectedWrong") / listings;
  const elsewhere = (WORTH_WRONG + sumOf(others, "judgedWrong")) / (WORTH_WRONG + sumOf(others, "judgedExpected"));
  const times = Math.min(Math.max(elsewhere, 1 / MOST_TIMES), MOST_TIMES);
  const prior = Math.min(expected * times, 1);
  const known = (WORTH * prior + sumOf(bins, "judgedWrong")) / (WORTH + sumOf(bins, "judged"));
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
