import type { LatLng } from "../../contract/parameters.ts";
import { sql } from "../../db/sql.ts";
import { findMistyped, LISTING_POSITION, type Mistyped, readNeighbours } from "../positions/neighbours.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { MATCHED_VENUE, OUTCOME } from "../run/rows.ts";
import { type Finding, findGroups, type Group, type Look, MOST_SHOWN } from "./look.ts";

export type Misplaced = Omit<Mistyped, "cells">;

/** A listing without a match, or with one that is not where it is either. */
const IS_NOT_THERE = sql`(${OUTCOME} <> 'matched' OR EXISTS (
  SELECT FROM jsonb_to_recordset(l.candidates) AS v(id text, lat float8, lng float8)
   WHERE v.id = ${MATCHED_VENUE} AND greatest(abs(v.lat - ${LISTING_POSITION.lat}), abs(v.lng - ${LISTING_POSITION.lng})) > 1))`;

/** Add all holds back those without a match (attacks F81). */
export async function findMisplaced(deps: Pick<Harmonizer, "pool">, h: Harmonization): Promise<Finding<Misplaced>> {
  const found = await findMistyped(deps, h, await readNeighbours(deps, h), IS_NOT_THERE);
  return { total: found.length, shown: found.slice(0, MOST_SHOWN).map(({ cells: _, ...rest }) => rest) };
}

/** Listings on exactly one point, such as a town's centre used for unknown positions. */
export type SamePoint = LatLng & Omit<Group, "key">;

const MANY_ON_A_POINT = 5;

export async function findSamePoints(look: Look): Promise<Finding<SamePoint>> {
  const { total, shown } = await findGroups(look, sql`l.lat::text || ' ' || l.lng::text`, MANY_ON_A_POINT);
  return {
    total,
    shown: shown.map(({ key, ...group }) => {
      const [lat = 0, lng = 0] = key.split(" ").map(Number);
      return { lat, lng, ...group };
    }),
  };
}
