import { distanceBetween } from "../../src/matching/distance.ts";
import { normalizeName } from "../../src/matching/normalize/normalize.ts";
import { trigramSimilarity } from "../../src/matching/text/similarity.ts";
import { candidateFinder, type Placed } from "./candidates.ts";
import type { Answer } from "./quality.ts";
import type { PlacedSet } from "./town-points.ts";

type Score = (listing: Placed, venue: Placed) => number;

/** Simple scores from 0 to 1. Their distances suit these sets. */
const BASELINES: Record<string, Score> = {
  nearest: (listing, venue) => 1 / (1 + distanceBetween(listing, venue)),
  "trigrams and distance": (listing, venue) =>
    trigramSimilarity(normalizeName(listing.name), normalizeName(venue.name)) *
    Math.exp(-distanceBetween(listing, venue) / 1000),
};

/** Returns the best candidate of each listing by each baseline. "nearest" needs given positions. */
export function baselineAnswers({ listings, directory, truth, positions }: PlacedSet): Record<string, Answer[]> {
  const find = candidateFinder(directory);
  const answers = Object.entries(BASELINES)
    .filter(([name]) => positions === "given" || name !== "nearest")
    .map(([name, score]) => ({ name, score, answers: [] as Answer[] }));
  for (const listing of listings) {
    const right = truth.get(listing.id) ?? new Set();
    const candidates = find(listing);
    for (const baseline of answers) {
      const first = firstBy(candidates, (venue) => baseline.score(listing, venue));
      baseline.answers.push({ score: first.score, isRight: right.has(first.id), hasRight: right.size > 0 });
    }
  }
  return Object.fromEntries(answers.map(({ name, answers }) => [name, answers]));
}

function firstBy(venues: Placed[], scoreOf: (venue: Placed) => number) {
  let first = { id: "", score: 0 };
  for (const venue of venues) {
    const score = scoreOf(venue);
    if (score > first.score) first = { id: venue.id, score };
  }
  return first;
}
