import { degreesOf, distanceBetween, radians } from "../../src/matching/distance.ts";
import { normalizeName } from "../../src/matching/normalize/normalize.ts";
import { withoutStoreNumber } from "../../src/matching/normalize/store-number.ts";
import { dice, trigramsOf } from "../../src/matching/text/similarity.ts";
import type { Spot } from "./sets.ts";

export type Placed = Spot & { lat: number; lng: number };

export const isPlaced = (spot: Spot): spot is Placed => spot.lat !== undefined && spot.lng !== undefined;

/** Finds the same candidates as the directory (src/directory/venues/candidates.ts), without a database. */
export function candidateFinder(directory: readonly Placed[]): (listing: Placed) => Placed[] {
  const venues = directory.map((venue) => ({ venue, trigrams: trigramsOf(normalizeName(venue.name)) }));
  return (listing) => {
    const trigrams = trigramsOf(normalizeName(withoutStoreNumber(listing.name)));
    const around = venues
      .filter(({ venue }) => isWithin(FAR, listing, venue))
      .map(({ venue, trigrams: theirs }) => ({ venue, likeness: jaccard(trigrams, theirs) }));
    const alike = around
      .filter(({ likeness }) => likeness >= LEAST_LIKENESS)
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, MOST_ALIKE);
    const close = alike.filter(({ venue }) => isWithin(CLOSE, listing, venue));
    const isEnough = close.some(({ likeness }) => likeness >= ENOUGH);
    const nearest = around
      .filter(({ venue }) => !isEnough || isWithin(SPOT, listing, venue))
      .map(({ venue }) => ({ venue, metres: distanceBetween(venue, listing) }))
      .sort((a, b) => a.metres - b.metres)
      .slice(0, NEAREST);
    return [...new Set([...(isEnough ? close : alike), ...nearest].map(({ venue }) => venue))];
  };
}

/** As in src/directory/venues/candidates.ts: metres, similarities, numbers of venues. */
const [FAR, CLOSE, SPOT] = [1500, 600, 30];
const [LEAST_LIKENESS, ENOUGH] = [0.3, 0.7];
const [MOST_ALIKE, NEAREST] = [50, 20];

/** Whether `b` is in the box around a circle of `metres` around `a`. */
function isWithin(metres: number, a: Placed, b: Placed): boolean {
  const height = degreesOf(metres);
  const width = height / Math.cos(radians(a.lat));
  return Math.abs(a.lat - b.lat) < height && Math.abs(a.lng - b.lng) < width;
}

/** As in pg_trgm. */
function jaccard(left: number[], right: number[]): number {
  const alike = dice(left, right);
  return alike / (2 - alike);
}
