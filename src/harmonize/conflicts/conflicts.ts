import { sql } from "../../db/sql.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { type Finding, findGroups, type Group, idsOf, type Look, rowsLookedAt } from "./look.ts";
import { findOtherVenues, type OtherVenues } from "./other-files.ts";
import { findMisplaced, findSamePoints, type Misplaced, type SamePoint } from "./positions.ts";
import { findShift, type Shift } from "./shift.ts";

/** How many conflicts of each kind, and the first of them. Serializable as JSON. */
export interface Findings {
  sameVenue: Finding<Group>;
  sameId: Finding<Group>;
  otherVenue: OtherVenues[];
  misplaced: Finding<Misplaced>;
  samePoint: Finding<SamePoint>;
  shift?: Shift | undefined;
}

type Deps = Pick<Harmonizer, "prisma" | "pool" | "directoryUrl">;

/** Listings up to which conflicts are found within a request. */
export const FEW_LISTINGS = 5000;

export function findConflicts(deps: Deps, h: Harmonization): Promise<Findings> {
  const from = sql`(${rowsLookedAt(h, 0, h.listingCount)})`;
  return findAll(deps, { db: deps, from, ids: sql`(${idsOf(from)})` }, h);
}

export async function findAll(deps: Deps, look: Look, h: Harmonization): Promise<Findings> {
  return {
    sameVenue: await findGroups(look, sql`l.venue`),
    sameId: await findGroups(look, sql`l.own_id`),
    otherVenue: await findOtherVenues(deps, look, h),
    misplaced: await findMisplaced(deps, h),
    samePoint: await findSamePoints(look),
    shift: await findShift(look, h),
  };
}
