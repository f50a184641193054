import { isDeepStrictEqual } from "node:util";
import { formatLl } from "../../contract/parameters.ts";
import { t } from "../../language/translate.ts";
import { effective, REPAIRABLE, type Repairable } from "../run/row-repairs.ts";
import { textNames } from "./mend.ts";
import { type HowAsked, type RepairedRow, repairedRow } from "./repaired-row.ts";
import { pointIn } from "./to-query.ts";

/** What a row says otherwise; undefined if it says nothing. */
export interface RowChange {
  field: Repairable | "ll";
  was: string | undefined;
  now: string | undefined;
}

/** What a row says otherwise with other repairs. */
export function changesIn(cells: readonly string[], before: HowAsked, now: HowAsked): RowChange[] {
  const one = repairedRow(cells, before);
  const other = repairedRow(cells, now);
  const was = placeIn(one);
  const is = placeIn(other);
  return [
    ...REPAIRABLE.flatMap((field): RowChange[] =>
      one.given[field] === other.given[field] ? [] : [{ field, was: one.given[field], now: other.given[field] }],
    ),
    ...(was === is ? [] : [{ field: "ll" as const, was, now: is }]),
  ];
}

/** Whether two readings of a row differ in anything. */
export const areDifferent = (one: RepairedRow, other: RepairedRow): boolean =>
  !isDeepStrictEqual(one.given, other.given) || placeIn(one) !== placeIn(other);

function placeIn(row: RepairedRow): string | undefined {
  const point = pointIn(row);
  return point && formatLl(point);
}

/** Words what the repairs of a file change in a row, for pages and exports. */
export function repairsInWords(cells: readonly string[], h: HowAsked): string | undefined {
  if (effective(h.repairs).length === 0) return undefined;
  const names = { ...textNames(), name: t("name") };
  const parts = changesIn(cells, { ...h, repairs: [] }, h).map(({ field, was = "", now = "" }) => {
    if (field === "ll") return t("position repaired ({was} in the file)", { was: was || t("none") });
    const said = { field: names[field], now, was };
    if (!now) return t("{field} removed by a repair (“{was}” in the file)", said);
    return was
      ? t("{field} repaired to “{now}” (“{was}” in the file)", said)
      : t("{field} repaired to “{now}” (none in the file)", said);
  });
  return parts.join("; ") || undefined;
}
