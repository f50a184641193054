import type { LatLng } from "../../contract/parameters.ts";
import { t } from "../../language/translate.ts";
import { distanceBetween } from "../../matching/distance.ts";
import type { Repair, Slip } from "../run/positions.ts";
import { SHARED } from "../run/rows.ts";
import { isOnEarth } from "./position.ts";
import { undoShift, undoSlip } from "./slips.ts";

export interface Repaired {
  ll: LatLng;
  by: Slip | "shifted";
}

const IN_WORDS: Record<Repaired["by"] | typeof SHARED, () => string> = {
  [SHARED]: () => t("left out, because rows of this name with other addresses have the same"),
  swapped: () => t("latitude and longitude swapped back"),
  "lng sign": () => t("the sign of the longitude changed"),
  "lat sign": () => t("the sign of the latitude changed"),
  "both signs": () => t("the signs of latitude and longitude changed"),
  "swapped, lng sign": () => t("latitude and longitude swapped back, and the sign of the longitude changed"),
  "swapped, lat sign": () => t("latitude and longitude swapped back, and the sign of the latitude changed"),
  "swapped, both signs": () => t("latitude and longitude swapped back, and both signs changed"),
  shifted: () => t("shifted back"),
};

export const repairInWords = (by: string | null | undefined): string | undefined =>
  by && Object.hasOwn(IN_WORDS, by) ? IN_WORDS[by as keyof typeof IN_WORDS]() : undefined;

export function repairReason(by: string | null | undefined): string | undefined {
  const words = repairInWords(by);
  return words && t("position: {how}", { how: words });
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
