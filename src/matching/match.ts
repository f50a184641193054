import { type Commonness, type Comparisons, compare, type Listing } from "./compare.ts";
import { normalizeName } from "./normalize.ts";
import { type Evidence, evidenceOf, scoreOf } from "./score.ts";
import { words } from "./similarity.ts";

/** A candidate with the chance (0 to 1) that it is the listing's venue, and what speaks for and against it. */
export interface Match<V extends Listing> {
  venue: V;
  score: number;
  evidence: Evidence[];
}

/** Scores every candidate for one listing, best first. Pure: the same input gives the same answer. */
export function matchListing<V extends Listing>(listing: Listing, candidates: readonly V[]): Match<V>[] {
  const commonness = commonnessAmong(candidates);
  return candidates
    .map((venue) => describe(venue, compare(listing, venue, commonness)))
    .sort((a, b) => b.score - a.score);
}

function describe<V extends Listing>(venue: V, comparisons: Comparisons): Match<V> {
  return { venue, score: scoreOf(comparisons), evidence: evidenceOf(comparisons) };
}

/** The candidates are the neighbourhood: a word that many of them bear ("Providence", "Restaurant") tells little. */
export function commonnessAmong(candidates: readonly Listing[]): Commonness {
  const counts = new Map<string, number>();
  for (const { name } of candidates)
    for (const word of new Set(words(normalizeName(name)))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const scale = Math.log1p(Math.max(candidates.length, 8));
  return (word) => Math.log(counts.get(word) || 1) / scale;
}
