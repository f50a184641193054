import { t } from "../../../language/translate.ts";

/** What happened to the positions of a file. */
export type Slip =
  | ("swapped" | "lng sign" | "lat sign" | "both signs")
  | ("swapped, lng sign" | "swapped, lat sign" | "swapped, both signs");

/** What happened to the position of a row: also a decimal point that moved, so that a value is a tenth of what it was, or ten times it. */
export type RowSlip = Slip | "lat tenth" | "lng tenth" | "both tenth" | "lat tenfold" | "lng tenfold";

/** `repaired.by` of a position that does not count, because other addresses of the same name have it, too. */
export const SHARED = "shared";

/** The same of a longitude that is the latitude. */
export const TWICE = "twice";

const UNDONE: Record<RowSlip | "shifted" | typeof SHARED | typeof TWICE, () => string> = {
  [TWICE]: () => t("left out, because latitude and longitude are the same"),
  [SHARED]: () => t("left out, because other rows with this name have the same one but other addresses"),
  swapped: () => t("latitude and longitude swapped back"),
  "lng sign": () => t("the sign of the longitude changed"),
  "lat sign": () => t("the sign of the latitude changed"),
  "both signs": () => t("the signs of latitude and longitude changed"),
  "swapped, lng sign": () => t("latitude and longitude swapped back, and the sign of the longitude changed"),
  "swapped, lat sign": () => t("latitude and longitude swapped back, and the sign of the latitude changed"),
  "swapped, both signs": () => t("latitude and longitude swapped back, and both signs changed"),
  "lat tenth": () => t("the decimal point of the latitude moved"),
  "lng tenth": () => t("the decimal point of the longitude moved"),
  "both tenth": () => t("both decimal points moved"),
  "lat tenfold": () => t("the decimal point of the latitude moved"),
  "lng tenfold": () => t("the decimal point of the longitude moved"),
  shifted: () => t("shifted back"),
};

export const repairInWords = (by: string | null | undefined): string | undefined =>
  by && Object.hasOwn(UNDONE, by) ? UNDONE[by as keyof typeof UNDONE]() : undefined;

export function repairReason(by: string | null | undefined): string | undefined {
  const words = repairInWords(by);
  return words && t("position: {how}", { how: words });
}
