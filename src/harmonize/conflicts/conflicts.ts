import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { type Finding, findGroups, type Group, idsOf, type Look, lookAt } from "./look.ts";
import { findOtherVenues, type OtherVenues } from "./other-files.ts";
import { findMisplaced, findSamePoints, type Misplaced, type SamePoint } from "./positions.ts";
import { findShift, type Shift } from "./shift.ts";

/** What does not fit together in a harmonization: how many of each kind, and the numbers of the first. It survives JSON. */
export interface Findings {
  /** Several listings that are matched with one venue, whose id is the key. */
  sameVenue: Finding<Group>;
  /** An own id that stands in the file more than once. */
  sameId: Finding<Group>;
  otherVenue: OtherVenues[];
  misplaced: Finding<Misplaced>;
  samePoint: Finding<SamePoint>;
  /** Where the whole file lies beside its venues. */
  shift?: Shift | undefined;
}

type Deps = Pick<Harmonizer, "prisma" | "pool" | "directoryUrl">;

/** Listings of the largest file that is looked through while somebody waits. */
export const FEW = 5000;

/** Looks through a file of at most FEW listings for what a person should see before its matches are used. */
export function findConflicts(deps: Deps, h: Harmonization): Promise<Findings> {
  const from = `(${lookAt(h, 0, h.listingCount)})`;
  const ask: Look["ask"] = async (text) => (await deps.pool.query(text)).rows;
  return findAll(deps, { from, ids: `(${idsOf(from)})`, ask }, h);
}

export async function findAll(
  deps: Pick<Deps, "prisma" | "directoryUrl">,
  look: Look,
  h: Harmonization,
): Promise<Findings> {
  return {
    sameVenue: await findGroups(look, "l.venue"),
    sameId: await findGroups(look, "l.own_id"),
    otherVenue: await findOtherVenues(deps, look, h),
    misplaced: await findMisplaced(look),
    samePoint: await findSamePoints(look),
    shift: await findShift(look, h),
  };
}
