import type { LatLng } from "../../contract/parameters.ts";
import { isOnEarth } from "../../files/row/position.ts";
import { distanceBetween } from "../../matching/distance.ts";
import type { Repair } from "../run/positions.ts";
import type { Slip } from "../run/problems/slips.ts";
import { undoShift, undoSlip } from "./slips.ts";

export interface Repaired {
  ll: LatLng;
  by: Slip | "shifted";
}

/** Metres. */
const AREA = 100_000;
const MOST_AREAS = 100;

/** Undefined if the position needs no repair. */
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

/** Selects at most MOST_AREAS of `points`, so that every point is within AREA / 2 of one of them. */
export function areasOf(points: LatLng[]): LatLng[] {
  const areas: LatLng[] = [];
  for (const point of points) {
    if (areas.length === MOST_AREAS) break;
    if (!areas.some((area) => distanceBetween(area, point) <= AREA / 2)) areas.push(point);
  }
  return areas;
}
