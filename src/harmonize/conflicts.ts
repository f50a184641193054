import { type Found, MOST_LOOKED_AT } from "./conflicts-listings.ts";
import { findMisplaced, findSamePoints, type Misplaced, type SamePoint } from "./conflicts-positions.ts";
import { findShift, type Shift } from "./conflicts-shift.ts";
import {
  type ConflictDeps,
  findOtherVenues,
  findSameIds,
  findSameVenues,
  type OtherVenue,
  type SameId,
  type SameVenue,
} from "./conflicts-venues.ts";
import type { Harmonization, Person } from "./harmonizations.ts";

/** What does not fit together in a harmonization: of each kind how many, and the first. */
export interface Conflicts {
  sameVenue: Found<SameVenue>;
  sameId: Found<SameId>;
  otherVenue: Found<OtherVenue>;
  misplaced: Found<Misplaced>;
  samePoint: Found<SamePoint>;
  /** Where the whole file lies beside its venues. */
  shift: Shift | undefined;
  /** Listings that were looked at: the first of a very long file. */
  lookedAt: number;
}

/**
 * Looks a file through for what this person should see before its matches are used. One statement after another, each well
 * under a second, because the pool has few connections and other pages need them too.
 */
export async function findConflicts(
  deps: ConflictDeps,
  harmonization: Harmonization,
  person: Person,
): Promise<Conflicts> {
  return {
    sameVenue: await findSameVenues(deps, harmonization),
    sameId: await findSameIds(deps, harmonization),
    otherVenue: await findOtherVenues(deps, harmonization, person),
    misplaced: await findMisplaced(deps, harmonization),
    samePoint: await findSamePoints(deps, harmonization),
    shift: await findShift(deps, harmonization),
    lookedAt: Math.min(harmonization.listingCount, MOST_LOOKED_AT),
  };
}
