import type { LatLng } from "../../contract/parameters.ts";
import { isOnEarth } from "../../files/row/position.ts";
import { type Cells, givenIn, visibleIn } from "../../files/row/row.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { type Repair, repairOf } from "../run/positions.ts";
import { effective, type RowRepair } from "../run/row-repairs.ts";
import { repairPosition } from "./repairs.ts";

/** How the rows of a file are asked about. */
export type HowAsked = Pick<Harmonization, "header" | "columns" | "format" | "positions" | "repairs">;

/** Columns and repairs: what the texts of a row follow from. */
export type HowRead = Pick<HowAsked, "header" | "columns" | "repairs">;

interface Placed {
  ll: LatLng;
  repaired: { by: string; was: LatLng };
}

/** What a row says once its file's repairs are made. */
export interface RepairedRow {
  given: Cells;
  /** What they make of its position; undefined for one that stays. */
  put(was: LatLng): Placed | undefined;
}

/** Characters of a cell after a replacement: several could make it longer and longer (attacks W161). */
const LONGEST_CELL = 5000;

/** The one place where the repairs of a file's rows are made; its cells stay as they are. */
export function repairedRow(cells: readonly string[], h: HowRead & Partial<Pick<HowAsked, "positions">>): RepairedRow {
  const ofAll = repairedBy(repairOf(h.positions ?? null));
  const repairs = effective(h.repairs);
  const own = givenIn(cells, h.columns);
  if (repairs.length === 0) return { given: own, put: ofAll };
  const row = { cells: [...cells], given: own, set: {} as Cells };
  const swaps: Swap[] = [];
  for (const { repair } of repairs) {
    if (!isMeant(repair, row.cells, h.header)) continue;
    if (repair.kind === "swap") swaps.push(repair);
    else change(row, repair, h);
  }
  const { id, ...texts } = { ...row.given, ...row.set, id: own.id };
  const given = Object.fromEntries(Object.entries({ ...texts, ...(id && { id }) }).filter(([, value]) => value));
  return { given, put: (was) => swapped(swaps, was) ?? ofAll(was) };
}

type Swap = Extract<RowRepair, { kind: "swap" }>;

function isMeant(repair: RowRepair, cells: readonly string[], header: readonly string[]): boolean {
  if (!("where" in repair) || !repair.where) return true;
  const { column, is } = repair.where;
  const index = header.indexOf(column);
  return index >= 0 && folded(visibleIn(cells[index] ?? "")) === folded(is);
}

const folded = (text: string): string => text.normalize("NFC").toLowerCase();

function change(row: { cells: string[]; given: Cells; set: Cells }, repair: Exclude<RowRepair, Swap>, h: HowRead) {
  if (repair.kind === "set") {
    row.set[repair.field] = repair.value;
    return;
  }
  const index = h.header.indexOf(repair.column);
  const cell = row.cells[index];
  if (cell === undefined) return;
  if (repair.kind === "replace") {
    row.cells[index] = replaced(cell, repair).slice(0, Math.max(LONGEST_CELL, cell.length)).toWellFormed();
    row.given = givenIn(row.cells, h.columns);
  } else if (repair.always || !(row.set[repair.field] ?? row.given[repair.field])) {
    const value = visibleIn(cell);
    if (value) row.set[repair.field] = value;
  }
}

/** Plain text, never a pattern, which could take forever (attacks W160). */
function replaced(cell: string, { find, with: by, whole, any_case }: Extract<RowRepair, { kind: "replace" }>): string {
  if (whole) return (any_case ? folded(visibleIn(cell)) === folded(find) : visibleIn(cell) === find) ? by : cell;
  if (!any_case) return cell.replaceAll(find, () => by);
  return cell.replace(new RegExp(find.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu"), () => by);
}

function swapped(swaps: Swap[], was: LatLng): Placed | undefined {
  const isTurned = (ll: LatLng, { where, around }: Swap): boolean =>
    around ? repairPosition({ kind: "slips", slips: ["swapped"], isWhole: false, around }, ll) !== undefined : !!where;
  const turned = swaps.reduce((ll, swap) => (isTurned(ll, swap) ? { lat: ll.lng, lng: ll.lat } : ll), was);
  return turned !== was && isOnEarth(turned) ? { ll: turned, repaired: { by: "swapped", was } } : undefined;
}

/** For positionOf(): what a repair of a whole file makes of a position. */
export const repairedBy =
  (repair: Repair | undefined) =>
  (was: LatLng): Placed | undefined => {
    const put = repair && repairPosition(repair, was);
    return put && { ll: put.ll, repaired: { by: put.by, was } };
  };
