import type { Comparisons } from "./compare.ts";
import { distanceBetween } from "./distance.ts";
import { haveSameLetters } from "./normalize/address.ts";
import type { Listing, Prepared } from "./prepare.ts";

export interface Compared<V extends Listing = Listing> {
  venue: Prepared<V>;
  comparisons: Comparisons;
  /** Log-odds that a name costs which other places may have. */
  cost?: number;
}

/**
 * Where one candidate has the very house number of the listing, letter included, its namesakes with another letter or none are in
 * other houses: 12 may be 12a, but not next to a 12a. Call it before what depends on the comparisons.
 */
export function tellLetters({ address }: Pick<Prepared, "address">, candidates: readonly Compared[]): void {
  const at = candidates.filter(({ comparisons }) => comparisons.sameAddress !== undefined);
  const exact = at.filter(({ venue }) => haveSameLetters(address, venue.address));
  if (exact.length === at.length) return;
  for (const { venue, comparisons } of at) {
    const isOther =
      !haveSameLetters(address, venue.address) && exact.some((each) => each.venue.joined === venue.joined);
    if (isOther) Object.assign(comparisons, { otherHouseNumber: 1, sameAddress: undefined });
  }
}

/** Sets each candidate's `rival`, the lead of the best other one: one as good or better is evidence against it. */
export function compareRivals(candidates: readonly Compared[]): void {
  const ranked = candidates
    .map((candidate) => ({ candidate, likeness: likenessOf(candidate.comparisons) }))
    .sort((a, b) => b.likeness - a.likeness);
  for (const { candidate, likeness } of ranked) {
    const best = ranked.find((other) => other.candidate !== candidate && !isTwin(candidate, other.candidate));
    candidate.comparisons.rival = leadOf(best && best.likeness - likeness);
  }
}

/** The same for one that is compared by its brand, which is nobody's rival: any branch of it may be near. */
export function compareWithRivals(one: Compared, others: readonly Compared[]): void {
  const best = Math.max(...others.map(({ comparisons }) => likenessOf(comparisons)));
  one.comparisons.rival = leadOf(others.length > 0 ? best - likenessOf(one.comparisons) : undefined);
}

const leadOf = (ahead = FAR_BEHIND): number => Math.max(FAR_BEHIND, Math.min(FAR_AHEAD, ahead));

/** Bounds of how far a rival is ahead; the first is also the value without a rival. */
const FAR_BEHIND = -4;
const FAR_AHEAD = 2;

/** What makes two spots alike. Most other comparisons only lower the likeness. */
export type Likeness = Pick<
  Comparisons,
  "trigrams" | "contained" | "shared" | "firstWord" | "telling" | "sameKind" | "distance"
> &
  Partial<Comparisons>;

/** Whether a candidate that is at most as alike as the outline leaves `rival` of the compared one as it is. */
export const isFarBehind = (outline: Likeness, { comparisons }: Compared): boolean =>
  likenessOf(outline) - likenessOf(comparisons) <= FAR_BEHIND;

/** Approximates the log-odds from what most candidates have. The factors are set by hand, close to the weights. */
function likenessOf(comparisons: Likeness): number {
  const { trigrams, contained, shared, firstWord, telling, sameKind, otherKind = 0 } = comparisons;
  const { distance = 0, sameAddress = 0, otherHouseNumber = 0 } = comparisons;
  const name = 4 * trigrams + contained + shared + firstWord + 0.4 * telling + 0.5 * sameKind - 1.5 * otherKind;
  const { extraTrade = 0, extraDepartment = 0, extraBelonging = 0, extraStop = 0, extraKind = 0 } = comparisons;
  const extra = 0.3 * (extraTrade + extraDepartment + extraBelonging + extraStop + extraKind);
  const place = 0.7 * sameAddress - 0.7 * otherHouseNumber - 1.2 * Math.max(0, distance - 1.5);
  return name - extra + place;
}

/** Whether the directory has the same venue twice: these are not rivals. */
function isTwin({ venue: a }: Compared, { venue: b }: Compared): boolean {
  return a.joined === b.joined && distanceBetween(a.record, b.record) < 60;
}
