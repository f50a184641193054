import { stat } from "node:fs/promises";
import { badRequest } from "../../../shared/errors.ts";
import { openParquet, type ParquetFile, type ParquetGroup } from "../../../shared/parquet/parquet.ts";
import { FOURSQUARE } from "../foursquare.ts";
import { OVERTURE } from "../overture.ts";
import type { Place, Release } from "../release.ts";
import { isParquet } from "./files.ts";

/** What of a release is imported. */
export interface Extent {
  box?: Box | undefined;
  /** ISO 3166-1 alpha-2, capitals. */
  countries?: readonly string[] | undefined;
  leastConfidence?: number | undefined;
}

/** In degrees. `west` may be greater than `east`: across 180°. */
export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

export interface OpenRelease {
  release: Release;
  files: { name: string; parquet: ParquetFile }[];
  rows: number;
}

const RELEASES = [OVERTURE, FOURSQUARE];

/**
 * Whether an import reads it as a release: a Parquet file with the columns of one, a folder, or a pattern such as `places/*.parquet`. Of a
 * file that cannot be read openRelease() says why.
 */
export async function isRelease(name: string): Promise<boolean> {
  const info = await stat(name).catch(() => undefined);
  if (info?.isDirectory()) return true;
  if (!info?.isFile()) return isParquet(name) || /[*?{[]/.test(name);
  if (!isParquet(name)) return false;
  const parquet = await openParquet(name).catch(() => undefined);
  return !parquet || releaseOf(parquet) !== undefined;
}

/** Reads the ends of all files. Throws KnownError 400 if one is damaged, or not of the first one's release, or that is unknown. */
export async function openRelease(names: readonly string[]): Promise<OpenRelease> {
  const files: OpenRelease["files"] = [];
  let release: Release | undefined;
  for (const name of names) {
    const parquet = await openParquet(name);
    const found = recognize(name, parquet);
    release ??= found;
    if (found !== release) throw badRequest(`${name} is of ${found.name}, but ${names[0]} of ${release.name}.`);
    files.push({ name, parquet });
  }
  const rows = files.reduce((sum, { parquet }) => sum + parquet.rows, 0);
  return { release: release as Release, files, rows };
}

function recognize(name: string, { columns }: ParquetFile): Release {
  const release = releaseOf({ columns });
  if (release) return release;
  const known = RELEASES.map((each) => `${each.name} (${each.hallmarks.join(", ")})`).join(" nor of ");
  throw badRequest(`${name} has neither the columns of ${known}. It has: ${columns.join(", ").slice(0, 300)}.`);
}

const releaseOf = ({ columns }: Pick<ParquetFile, "columns">): Release | undefined =>
  RELEASES.find(({ hallmarks }) => hallmarks.every((column) => columns.includes(column)));

export interface Portion {
  file: string;
  /** `row` counts from 1 in the file. */
  places: { row: number; place: Place }[];
  /** Rows outside the extent, those of groups that were not read included. */
  elsewhere: number;
}

/** Yields the places within the extent, of each group that may have one, in portions. */
export async function* readRelease({ release, files }: OpenRelease, extent: Extent): AsyncGenerator<Portion> {
  for (const { name: file, parquet } of files) {
    let row = 1;
    for (const group of parquet.groups) {
      if (mayHave(group, release, extent)) yield* readGroup(release, group, { file, row, extent });
      else yield { file, places: [], elsewhere: group.rows };
      row += group.rows;
    }
  }
}

async function* readGroup(
  release: Release,
  group: ParquetGroup,
  { file, row: first, extent }: { file: string; row: number; extent: Extent },
): AsyncGenerator<Portion> {
  let row = first;
  for await (const { rows, columns } of group.read(release.columns)) {
    const portion: Portion = { file, places: [], elsewhere: 0 };
    for (let at = 0; at < rows; at++) {
      const place = release.place(columns, at);
      if (isWithin(place, extent)) portion.places.push({ row: row + at, place });
      else portion.elsewhere += 1;
    }
    row += rows;
    yield portion;
  }
}

function mayHave(group: ParquetGroup, release: Release, { box, countries, leastConfidence }: Extent): boolean {
  const country = group.bounds(release.country);
  if (countries && country && !countries.some((cc) => isBetween(cc, country))) return false;
  const confidence = group.bounds("confidence");
  if (leastConfidence !== undefined && typeof confidence?.max === "number" && confidence.max < leastConfidence)
    return false;
  if (!box) return true;
  const west = group.bounds(release.box.west)?.min;
  const south = group.bounds(release.box.south)?.min;
  const east = group.bounds(release.box.east)?.max;
  const north = group.bounds(release.box.north)?.max;
  if (Number(south) > box.north || Number(north) < box.south) return false;
  return box.west > box.east
    ? !(Number(west) > box.east && Number(east) < box.west)
    : !(Number(west) > box.east || Number(east) < box.west);
}

const isBetween = (value: string, { min, max }: { min: unknown; max: unknown }) =>
  typeof min !== "string" || typeof max !== "string" || (min <= value && value <= max);

/** Places without a position or a country are refused, or kept, by what else is asked. */
function isWithin({ lat, lng, country, confidence }: Place, { box, countries, leastConfidence }: Extent): boolean {
  if (countries && !countries.includes(country?.toUpperCase() ?? "")) return false;
  if (leastConfidence !== undefined && (confidence ?? 0) < leastConfidence) return false;
  if (!box) return true;
  if (lat === undefined || lng === undefined || lat < box.south || lat > box.north) return false;
  return box.west > box.east ? lng >= box.west || lng <= box.east : lng >= box.west && lng <= box.east;
}
