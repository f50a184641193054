import type { LatLng } from "../../contract/parameters.ts";
import type { Harmonizer } from "../deps.ts";
import type { Columns, FileFormat } from "../rows.ts";
import { readParts } from "./parts.ts";
import { parseDegrees } from "./position.ts";
import { type Row, readRows } from "./table.ts";

/** What the first rows of a file look like. */
export interface Preview {
  /** Rows that were looked at. */
  rows: number;
  /** Of them, those that cannot be read, and why the first one cannot. */
  unreadable: number;
  firstProblem?: string;
  columns: {
    name: string;
    /** Share of the rows that have something there, 0 to 1. */
    filled: number;
    /** Up to three values, no two the same. */
    samples: string[];
  }[];
  /** What looks wrong with the columns that are chosen, in words. */
  warnings: string[];
}

const MOST_ROWS = 2000;
const MOST_PARTS = 16;
const LONGEST_SAMPLE = 60;

/** Reads the first rows of a file, as `format` says. */
export async function previewFile(
  { pool }: Pick<Harmonizer, "pool">,
  { id, format, header, columns }: { id: string; format: FileFormat; header: string[]; columns: Columns },
): Promise<Preview> {
  const rows: Row[] = [];
  for await (const row of readRows(readParts(pool, id, MOST_PARTS), format, header)) {
    rows.push(row);
    if (rows.length === MOST_ROWS) break;
  }
  const readable = rows.filter(({ problem }) => !problem).map(({ cells }) => cells);
  const firstProblem = rows.find(({ problem }) => problem)?.problem?.message;
  return {
    rows: rows.length,
    unreadable: rows.length - readable.length,
    ...(firstProblem && { firstProblem }),
    columns: header.map((name, index) =>
      columnOf(
        name,
        readable.map((cells) => cells[index] ?? ""),
      ),
    ),
    warnings: [...missingColumns(columns), ...oddPositions(readable, columns)],
  };
}

function columnOf(name: string, cells: string[]): Preview["columns"][number] {
  const values = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  const samples = new Set<string>();
  for (const value of values) {
    samples.add(value.length > LONGEST_SAMPLE ? `${[...value].slice(0, LONGEST_SAMPLE).join("")}…` : value);
    if (samples.size === 3) break;
  }
  return { name, filled: values.length / Math.max(cells.length, 1), samples: [...samples] };
}

/** Without these no listing can be asked about. */
export function missingColumns({ name, lat, lng, ll, city, zip }: Columns): string[] {
  const missing: string[] = [];
  if (name === undefined) missing.push("No column is the name. Choose it: without a name nothing can be matched.");
  if ((lat === undefined) !== (lng === undefined))
    missing.push(
      `Latitude and longitude belong together: choose the column of the ${lat === undefined ? "latitude" : "longitude"} as well.`,
    );
  else if (lat === undefined && ll === undefined && city === undefined && zip === undefined)
    missing.push("No column says where a listing is. Choose latitude and longitude, or the city or postal code.");
  return missing;
}

/** Few against most: what is so in nearly all rows is how the list is. */
function oddPositions(rows: string[][], { lat, lng }: Columns): string[] {
  if (lat === undefined || lng === undefined) return [];
  const points = rows.flatMap((cells) => {
    const [one, other] = [parseDegrees(cells[lat] ?? ""), parseDegrees(cells[lng] ?? "")];
    return one && other ? [{ lat: one.value, lng: other.value }] : [];
  });
  const inRange = points.filter((point) => Math.abs(point.lat) <= 90);
  const middle = { lat: median(inRange.map(({ lat }) => lat)), lng: median(inRange.map(({ lng }) => lng)) };
  const isSwapped = (point: LatLng) =>
    Math.abs(point.lng) <= 90 &&
    (Math.abs(point.lat) > 90 || isNearer({ lat: point.lng, lng: point.lat }, point, middle));
  const swapped = points.filter(isSwapped).length;
  const upright = points.filter((point) => !isSwapped(point));
  const warnings: string[] = [];
  if (swapped > points.length / 10)
    warnings.push(
      "Latitudes beyond 90 degrees: latitude and longitude seem to be swapped. Choose them the other way round.",
    );
  else if (swapped > 0)
    warnings.push(
      `${rowsInWords(swapped)} have latitude and longitude swapped. They will fail, or be looked for elsewhere.`,
    );
  for (const [axis, word] of [
    ["lat", "latitude"],
    ["lng", "longitude"],
  ] as const) {
    const signs = upright.map((point) => Math.sign(point[axis])).filter((sign) => sign !== 0);
    const negative = signs.filter((sign) => sign < 0).length;
    const odd = Math.min(negative, signs.length - negative);
    if (odd > 0 && odd < signs.length / 20)
      warnings.push(
        `${rowsInWords(odd)} have a ${word} with the other sign than nearly all others. Is a minus missing?`,
      );
  }
  return warnings;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Whether `one` is by far nearer than `other` to where the list is: all in degrees. */
function isNearer(one: LatLng, other: LatLng, { lat, lng }: LatLng): boolean {
  const [far, near] = [other, one].map((point) => Math.hypot(point.lat - lat, point.lng - lng));
  return far !== undefined && near !== undefined && far > 30 && near < far / 5;
}

const rowsInWords = (count: number) =>
  count === 1 ? "1 of the first rows seems to" : `${count.toLocaleString("en")} of the first rows seem to`;
