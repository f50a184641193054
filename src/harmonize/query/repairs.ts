import type { LatLng } from "../../contract/parameters.ts";
import { distanceBetween } from "../../matching/distance.ts";
import type { Repair, Slip } from "../run/positions.ts";
import { isOnEarth } from "./position.ts";
import { undoShift, undoSlip } from "./slips.ts";

export interface Repaired {
  ll: LatLng;
  by: Slip | "shifted";
}

/** What was done to a row, in words for its reason. */
const IN_WORDS: Record<Repaired["by"], string> = {
  swapped: "latitude and longitude swapped back",
  "lng sign": "the sign of the longitude changed",
  "lat sign": "the sign of the latitude changed",
  "both signs": "the signs of latitude and longitude changed",
  "swapped, lng sign": "latitude and longitude swapped back, and the sign of the longitude changed",
  "swapped, lat sign": "latitude and longitude swapped back, and the sign of the latitude changed",
  "swapped, both signs": "latitude and longitude swapped back, and both signs changed",
  shifted: "shifted back",
};

/** @param by of a query's `repaired`; undefined gives undefined */
export const repairInWords = (by: string | null | undefined): string | undefined =>
  by && Object.hasOwn(IN_WORDS, by) ? IN_WORDS[by as Repaired["by"]] : undefined;

/** The same, among other reasons. */
export function repairReason(by: string | null | undefined): string | undefined {
  const words = repairInWords(by);
  return words && `position: ${words}`;
}

/** Metres around a point of `around`. */
const AREA = 100_000;
const MOST_AREAS = 100;

/**
 * A row's position put right; undefined for one that stays as it is. It depends on the row and the repair alone.
 *
 * @param is as the file has it, even if impossible
 */
export function repairPosition(repair: Repair, is: LatLng): Repaired | undefined {
  if (repair.kind === "shift") {
    const ll = undoShift(repair.offset, is);
    return ll && { ll, by: "shifted" };
  }
  const { slips, isWhole, around } = repair;
  const isThere = (ll: LatLng) => around.some((point) => distanceBetween(point, ll) <= AREA);
  const ways = slips.flatMap((by) => {
    const ll = undoSlip(by, is);
    return ll ? [{ ll, by }] : [];
  });
  const isWell = isOnEarth(is) && isThere(is);
  const there = isWell && !isWhole ? undefined : ways.find(({ ll }) => isThere(ll));
  return there ?? (isWhole && !isWell ? ways[0] : undefined);
}

/** A few of these points, such that each of the others is within AREA / 2 of one; at most MOST_AREAS. */
export function areasOf(points: LatLng[]): LatLng[] {
  const areas: LatLng[] = [];
  for (const point of points) {
    if (areas.length === MOST_AREAS) break;
    if (!areas.some((area) => distanceBetween(area, point) <= AREA / 2)) areas.push(point);
  }
  return areas;
}
