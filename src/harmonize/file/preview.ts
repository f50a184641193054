import type { LatLng } from "../../contract/parameters.ts";
import { type Row, readRows } from "../formats/table.ts";
import { parseDegrees } from "../query/position.ts";
import { givenIn, pointIn, visibleIn } from "../query/to-query.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { hasPosition } from "../run/positions.ts";
import type { Problem } from "../run/problems.ts";
import type { Columns } from "../run/rows.ts";
import { metresIn } from "./guess/codes.ts";
import { oddCells, shortened } from "./odd-cells.ts";
import { readParts } from "./parts.ts";

export interface Preview {
  rows: number;
  unreadable: number;
  firstProblem?: Problem;
  columns: {
    name: string;
    filled: number;
    samples: string[];
  }[];
  warnings: string[];
  owned: OwnedRow[];
}

const MOST_ROWS = 2000;
/** Cells looked at in one stretch, which blocks the process (attacks F28). */
const MOST_CELLS = 150_000;
const MOST_PARTS = 5;
const LONGEST_SAMPLE = 60;

type Previewed = Pick<Harmonization, "id" | "format" | "header" | "columns"> &
  Partial<Pick<Harmonization, "positions">>;

export async function previewFile(
  { pool }: Pick<Harmonizer, "pool">,
  { id, format, header, columns, positions }: Previewed,
): Promise<Preview> {
  const isAsked = positions?.verdict === "wrong";
  const enough = Math.min(MOST_ROWS, Math.ceil(MOST_CELLS / header.length));
  const rows: Row[] = [];
  for await (const row of readRows(readParts(pool, id, MOST_PARTS), format, header)) {
    rows.push(row);
    if (rows.length === enough) break;
  }
  const readable = rows.filter(({ problem }) => !problem);
  const firstProblem = rows.find(({ problem }) => problem)?.problem;
  return {
    rows: rows.length,
    unreadable: rows.length - readable.length,
    ...(firstProblem && { firstProblem }),
    columns: header.map((name, index) =>
      columnOf(
        name,
        readable.map(({ cells }) => cells[index] ?? ""),
      ),
    ),
    // The question about all positions covers these.
    warnings: [
      ...missingColumns(columns),
      ...unknownMetres(readable, header, columns),
      ...(isAsked ? [] : oddPositions(readable, columns)),
      ...oddCells(readable, header, columns),
      ...emptyFormulas(format),
    ],
    owned: ownedRows(readable, columns),
  };
}

export interface OwnedRow {
  id: string;
  name: string;
  ll: LatLng | undefined;
}

function ownedRows(rows: Row[], columns: Columns): OwnedRow[] {
  const found = new Map<string, OwnedRow>();
  if (columns.id !== undefined)
    for (const { cells } of rows) {
      const { id = "", name = "" } = givenIn(cells, columns);
      if (id && !found.has(id)) found.set(id, { id, name, ll: pointIn(cells, columns) });
    }
  return [...found.values()];
}

function columnOf(name: string, cells: string[]): Preview["columns"][number] {
  const values = cells.map(visibleIn).filter((cell) => cell !== "");
  const samples = new Set<string>();
  for (const value of values) {
    samples.add(shortened(value, LONGEST_SAMPLE));
    if (samples.size === 3) break;
  }
  return { name, filled: values.length / Math.max(cells.length, 1), samples: [...samples] };
}

export function missingColumns(columns: Columns): string[] {
  const missing: string[] = [];
  const { name, city, zip } = columns;
  if (name === undefined)
    missing.push("No column is chosen for the name. Choose one: Samespot cannot match listings without a name.");
  const halves = PAIRS.filter(([one, other]) => (columns[one] === undefined) !== (columns[other] === undefined));
  for (const [one, , words] of halves)
    missing.push(
      `${words[2]} belong together: choose a column for the ${columns[one] === undefined ? words[0] : words[1]} as well.`,
    );
  if (halves.length === 0 && !hasPosition(columns) && city === undefined && zip === undefined)
    missing.push("No column is chosen for the place. Choose latitude and longitude, or the city or postal code.");
  return missing;
}

const PAIRS = [
  ["lat", "lng", ["latitude", "longitude", "Latitude and longitude"]],
  ["x", "y", ["x", "y", "Both metres of Web Mercator"]],
] as const;

/** Metres may be of any grid, so they are not read unless the owner says that they are Web Mercator. */
function unknownMetres(rows: Row[], header: readonly string[], columns: Columns): string[] {
  if (hasPosition(columns)) return [];
  const values = header.map((_, index) => rows.map(({ cells }) => cells[index] ?? ""));
  const { x, y } = metresIn(header, values);
  if (x === undefined || y === undefined) return [];
  return [
    `“${header[x]}” and “${header[y]}” look like metres of a map. If they are Web Mercator (EPSG:3857), choose them so. Those of a national grid must be converted to latitude and longitude before the upload.`,
  ];
}

export const NO_IDS = "To recognize listings of the previous edition, choose the column of your own ids.";

/** Warns of a few odd positions only: if nearly all are odd, the list is like that. */
function oddPositions(rows: Row[], { name, lat, lng }: Columns): string[] {
  if (lat === undefined || lng === undefined) return [];
  const points = rows.flatMap(({ line, cells }) => {
    const [one, other] = [parseDegrees(cells[lat] ?? ""), parseDegrees(cells[lng] ?? "")];
    return one && other ? [{ line, name: cells[name ?? -1]?.trim(), lat: one.value, lng: other.value }] : [];
  });
  const inRange = points.filter((point) => Math.abs(point.lat) <= 90);
  const middle = { lat: median(inRange.map(({ lat }) => lat)), lng: median(inRange.map(({ lng }) => lng)) };
  const isSwapped = (point: LatLng) =>
    Math.abs(point.lng) <= 90 &&
    (Math.abs(point.lat) > 90 || isNearer({ lat: point.lng, lng: point.lat }, point, middle));
  const swapped = points.filter(isSwapped);
  const upright = points.filter((point) => !isSwapped(point));
  const warnings: string[] = [];
  if (swapped.length > points.length / 2)
    warnings.push(
      `Latitude and longitude seem to be swapped in ${swapped.length.toLocaleString("en")} of the first ${points.length.toLocaleString("en")} rows. Swap the two columns.`,
    );
  else if (swapped.length > 0)
    warnings.push(`${seemTo(swapped)} have latitude and longitude swapped. Check these rows in the results.`);
  for (const [axis, word] of [
    ["lat", "latitude"],
    ["lng", "longitude"],
  ] as const) {
    const [negative, positive] = [
      upright.filter((point) => point[axis] < 0),
      upright.filter((point) => point[axis] > 0),
    ];
    const odd = negative.length < positive.length ? negative : positive;
    if (odd.length > 0 && odd.length < (negative.length + positive.length) / 20)
      warnings.push(`${seemTo(odd)} have a ${word} with the opposite sign of nearly all others. Is a minus missing?`);
  }
  return warnings;
}

const emptyFormulas = ({ emptyFormulas: count = 0 }: Previewed["format"]): string[] =>
  count === 0
    ? []
    : [
        `${count.toLocaleString("en")} formula${count === 1 ? " of this sheet has" : "s of this sheet have"} no stored value, so the cell is read as empty. Open the workbook in a spreadsheet, save it there, and upload it again.`,
      ];

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function isNearer(one: LatLng, other: LatLng, { lat, lng }: LatLng): boolean {
  const [far, near] = [other, one].map((point) => Math.hypot(point.lat - lat, point.lng - lng));
  return far !== undefined && near !== undefined && far > 30 && near < far / 5;
}

function seemTo(rows: { line: number; name: string | undefined }[]): string {
  const [first = "", ...others] = rows
    .slice(0, 3)
    .map(
      ({ line, name }) => `line ${line.toLocaleString("en")}${name ? ` (“${shortened(name, LONGEST_SAMPLE)}”)` : ""}`,
    );
  if (others.length === 0) return `L${first.slice(1)} seems to`;
  const rest = rows.length > 3 ? " and others" : "";
  return `${rows.length.toLocaleString("en")} of the first rows, ${[first, ...others].join(", ")}${rest}, seem to`;
}
