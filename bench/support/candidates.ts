import { degreesOf, distanceBetween, radians } from "../../src/matching/distance.ts";
import { normalizeName } from "../../src/matching/normalize/normalize.ts";
import { withoutStoreNumber } from "../../src/matching/normalize/store-number.ts";
import { dice, trigramsOf } from "../../src/matching/similarity.ts";
import type { Spot } from "./sets.ts";

/** A listing or venue that says where it is. */
export type Placed = Spot & { lat: number; lng: number };

export const isPlaced = (spot: Spot): spot is Placed => spot.lat !== undefined && spot.lng !== undefined;

/**
 * The candidates that the directory would find, without a database: names alike close by, and whatever is on the spot;
 * unless one of them is very much alike, also those farther off and the nearest venues.
 */
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

/** As src/directory/venues/candidates.ts has them: metres, similarities, numbers of venues. */
const [FAR, CLOSE, SPOT] = [1500, 600, 30];
const [LEAST_LIKENESS, ENOUGH] = [0.3, 0.7];
const [MOST_ALIKE, NEAREST] = [50, 20];

/** In the box around a circle of so many metres. */
function isWithin(metres: number, a: Placed, b: Placed): boolean {
  const height = degreesOf(metres);
  const width = height / Math.cos(radians(a.lat));
  return Math.abs(a.lat - b.lat) < height && Math.abs(a.lng - b.lng) < width;
}

/** As pg_trgm has it. */
function jaccard(left: number[], right: number[]): number {
  const alike = dice(left, right);
  return alike / (2 - alike);
}
