import { sql } from "../../db/sql.ts";
import { regionOf } from "./mercator.ts";

/** The indexed expression; must be the same as in the migration. */
export const VENUE_WORDS = sql`directory.venue_words(v.name_norm, v.other_names_norm, v.address, v.cross_street, v.city, v.state, v.zip, v.category_id, v.point)`;

/** Cells per degree of the map, and the most cells worth querying. */
const CELLS = [
  { mark: "~", perDegree: 5, most: 25 },
  { mark: "^", perDegree: 1, most: 150 },
];

/** Small cells if there are few, otherwise large ones, otherwise none. */
export function cellsOf(boxes: readonly string[] = []): string | undefined {
  for (const { mark, perDegree, most } of CELLS) {
    const cells = boxes.flatMap((box) => cellsIn(box, perDegree, most));
    if (cells.length > 0 && cells.length <= most) return lexemes(mark, cells);
  }
  return undefined;
}

function cellsIn(box: string, perDegree: number, most: number): string[] {
  const region = regionOf(box);
  const [east, north] = [Math.floor(region.east * perDegree), Math.floor(region.north * perDegree)];
  const [west, south] = [Math.floor(region.west * perDegree), Math.floor(region.south * perDegree)];
  if ((east - west + 1) * (north - south + 1) > most) return Array<string>(most + 1);
  const cells: string[] = [];
  for (let x = west; x <= east; x++) for (let y = south; y <= north; y++) cells.push(`${x},${y}`);
  return cells;
}

/** Without values, matches nothing. */
export const lexemes = (mark: string, values: readonly string[]): string =>
  values.length === 0 ? "'-'" : `(${values.map((value) => `'${mark}${value}'`).join(" | ")})`;
