import path from "node:path";
import { type Pair, type PairSet, type RetrievalSet, readCsv } from "./sets.ts";

const FILE = path.resolve(import.meta.dirname, "../data/reviewed.csv");

/** The rows of the file that bench/data/README.md describes: a second verdict on a pair of records, whatever its label. */
export const readReviews = () =>
  readCsv(FILE).map(({ set = "", left = "", right = "", label = "", verdict = "", kind = "" }) => {
    return { set, left, right, label, verdict, kind };
  });

/** By the ids of both records, because several sets hold the same pairs. */
const VERDICTS = new Map<string, Map<string, string>>();
for (const { left, right, verdict } of readReviews())
  VERDICTS.set(left, (VERDICTS.get(left) ?? new Map<string, string>()).set(right, verdict));

/** Whether both are one place by the verdict, otherwise by the published label. Undefined if the verdict is unsure. */
export function isSameReviewed({ left, right, isSame }: Pair): boolean | undefined {
  const verdict = VERDICTS.get(left.id)?.get(right.id);
  if (verdict === undefined) return isSame;
  return verdict === "unsure" ? undefined : verdict === "same";
}

/** The set by its verdicts, without pairs that are unsure. Undefined if it has no verdicts. */
export function reviewedPairs({ name, pairs }: PairSet): PairSet | undefined {
  if (!pairs.some(({ left, right }) => VERDICTS.get(left.id)?.has(right.id))) return undefined;
  const judged = pairs.flatMap((pair) => {
    const isSame = isSameReviewed(pair);
    return isSame === undefined ? [] : [{ ...pair, isSame }];
  });
  return { name, pairs: judged };
}

/** The set by its verdicts, without listings that have an unsure one. Undefined if it has no verdicts. */
export function reviewedListings<S extends RetrievalSet>(set: S): S | undefined {
  const venues = new Set(set.directory.map(({ id }) => id));
  const truth = new Map(set.truth);
  const unsure = new Set<string>();
  let isReviewed = false;
  for (const { id } of set.listings)
    for (const [venue, verdict] of VERDICTS.get(id) ?? []) {
      if (!venues.has(venue)) continue;
      isReviewed = true;
      const right = new Set(truth.get(id));
      if (verdict === "same") right.add(venue);
      else right.delete(venue);
      truth.set(id, right);
      if (verdict === "unsure") unsure.add(id);
    }
  return isReviewed ? { ...set, truth, listings: set.listings.filter(({ id }) => !unsure.has(id)) } : undefined;
}
