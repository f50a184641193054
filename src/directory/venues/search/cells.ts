import type { Pool } from "pg";
import { boxArray, formatBox, type Region } from "../mercator.ts";
import { indexNames, type NameIndex, type Range } from "./name-index.ts";

/**
 * The venues of those cells of the map that have been read. A venue's number is its place in `ids`, `xs` and `ys`; those of
 * a cell follow one another.
 */
export interface Cells {
  ids: string[];
  xs: number[];
  ys: number[];
  venues: Map<number, Range>;
  /** One for each reading. */
  names: NameIndex[];
}

export interface Point {
  x: number;
  y: number;
}

/** A power of two, so that rounding moves no venue on a border into another cell. */
const CELLS_PER_DEGREE = 128;

/** More than there are around the earth, so that the last cell of a row is not next to the first of another. */
const CELLS_PER_ROW = 2 ** 16;

/** Adjacent cells of a row that are read as one box. */
const LONGEST_RUN = 8;

/** Beyond these Mercator degrees cells are small on the ground. */
export const FARTHEST_NORTH = 88;

export const noCells = (): Cells => ({ ids: [], xs: [], ys: [], venues: new Map(), names: [] });

/** A region is not worth reading if more of it than this is for it alone (a cell under two regions counts by half). */
const MOST_ALONE = 0.75;

/** Venues of one statement, some 200 bytes each. */
const MOST_AT_ONCE = 60_000;

/**
 * Reads the cells under the regions in one statement, but no lonely regions, and no boxes of cells with more venues than
 * are worth reading for each region there. These cells stay unread.
 */
export async function readCells(pool: Pool, cells: Cells, regions: readonly Region[], worth: number): Promise<void> {
  const runs = runsOf(sharesOf(cells, regions));
  if (runs.length === 0) return;
  const most = Math.min(worth, MOST_AT_ONCE / runs.reduce((sum, { share }) => sum + share, 0));
  const limits = runs.map(({ share }) => Math.ceil(most * share));
  const values = [boxArray(runs.map(boxOf)), limits];
  const { rows } = await pool.query<VenuesInBox>({ name: "venues-in-boxes", text: VENUES_IN_BOXES, values });
  const first = cells.ids.length;
  const names = rows.flatMap((row) => {
    const isAll = (row.ids ?? []).length <= (limits[row.run - 1] as number);
    return isAll ? addVenues(cells, runs[row.run - 1] as Run, row) : [];
  });
  cells.names.push(await indexNames(names, first));
}

export const isRead = ({ venues }: Cells, region: Region): boolean =>
  cellsUnder(region).every((cell) => venues.has(cell));

/** Returns the venues of the cells under the region, in ascending order. */
export function rangesUnder({ venues }: Cells, region: Region): Range[] {
  const ranges: Range[] = [];
  for (const cell of cellsUnder(region)) {
    const { from, to } = venues.get(cell) ?? NOTHING;
    const last = ranges.at(-1);
    if (last?.to === from) last.to = to;
    else if (from < to) ranges.push({ from, to });
  }
  return ranges.sort((a, b) => a.from - b.from);
}

const NOTHING: Range = { from: 0, to: 0 };

/** Returns the nearest venues in the region, nearest first. Its cells must have been read. */
export function nearestIn(cells: Cells, center: Point, region: Region, count: number): number[] {
  const { west, south, east, north } = cornersOf(region);
  const [x, y] = [indexOf(center.x), indexOf(center.y)];
  const last = Math.max(x - west, y - south, east - x, north - y);
  const nearest: Near[] = [];
  for (let ring = 0; ring <= last; ring++) {
    for (let row = Math.max(south, y - ring); row <= Math.min(north, y + ring); row++) {
      const step = Math.abs(row - y) === ring ? 1 : 2 * ring;
      for (let column = x - ring; column <= x + ring; column += step)
        if (column >= west && column <= east) addNearest(cells, center, region, cellOf(column, row), nearest, count);
    }
    const across = Math.min(center.x - edge(x - ring), edge(x + ring + 1) - center.x);
    const up = Math.min(center.y - edge(y - ring), edge(y + ring + 1) - center.y);
    if (nearest.length === count && (nearest.at(-1) as Near).distance < Math.min(across, up)) break;
  }
  return nearest.map(({ at }) => at);
}

interface Near {
  at: number;
  distance: number;
}

function addNearest(cells: Cells, center: Point, region: Region, cell: number, nearest: Near[], count: number): void {
  const { from, to } = cells.venues.get(cell) ?? NOTHING;
  for (let at = from; at < to; at++) {
    if (!isIn(region, cells, at)) continue;
    const distance = distanceTo(center, cells, at);
    const worst = nearest[count - 1];
    if (worst && distance > worst.distance) continue;
    const each = { at, distance };
    let place = nearest.length;
    while (place > 0 && byDistance(cells, each, nearest[place - 1] as Near) < 0) place--;
    nearest.splice(place, 0, each);
    if (nearest.length > count) nearest.pop();
  }
}

export const byDistance = (cells: Cells, a: Near, b: Near): number =>
  a.distance - b.distance || byId(cells, a.at, b.at);

export function isIn({ west, south, east, north }: Region, { xs, ys }: Cells, at: number): boolean {
  const [x, y] = [xs[at] as number, ys[at] as number];
  return x >= west && x <= east && y >= south && y <= north;
}

/** Computes `<->` of two points as PostgreSQL does, to the last bit. */
export function distanceTo({ x, y }: Point, { xs, ys }: Cells, at: number): number {
  const [across, up] = [Math.abs((xs[at] as number) - x), Math.abs((ys[at] as number) - y)];
  const [long, short] = across < up ? [up, across] : [across, up];
  if (short === 0) return long;
  const ratio = short / long;
  return long * Math.sqrt(1 + ratio * ratio);
}

/** As COLLATE "C". */
export const byId = ({ ids }: Cells, a: number, b: number): number =>
  (ids[a] as string) < (ids[b] as string) ? -1 : 1;

const indexOf = (degrees: number): number => Math.floor(degrees * CELLS_PER_DEGREE);
const edge = (index: number): number => index / CELLS_PER_DEGREE;
const cellOf = (column: number, row: number): number => (row + indexOf(90)) * CELLS_PER_ROW + column + indexOf(180);

const cornersOf = ({ west, south, east, north }: Region): Region => ({
  west: indexOf(west),
  south: indexOf(south),
  east: indexOf(east),
  north: indexOf(north),
});

function cellsUnder(region: Region): number[] {
  const { west, south, east, north } = cornersOf(region);
  const cells: number[] = [];
  for (let row = south; row <= north; row++)
    for (let column = west; column <= east; column++) cells.push(cellOf(column, row));
  return cells;
}

/** Returns the cells that are worth reading, each with the sum of its shares in the regions. */
function sharesOf({ venues }: Cells, regions: readonly Region[]): Map<number, number> {
  const unread = regions.map((region) => cellsUnder(region).filter((cell) => !venues.has(cell)));
  const counts = new Map<number, number>();
  for (const own of unread) for (const cell of own) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const shares = new Map<number, number>();
  for (const own of unread) {
    const alone = own.reduce((sum, cell) => sum + 1 / (counts.get(cell) ?? 1), 0);
    if (alone <= MOST_ALONE * own.length)
      for (const cell of own) shares.set(cell, (shares.get(cell) ?? 0) + 1 / own.length);
  }
  return shares;
}

/** Adjacent cells, from `first` to `last`. */
interface Run {
  first: number;
  last: number;
  share: number;
}

function runsOf(shares: Map<number, number>): Run[] {
  const runs: Run[] = [];
  for (const cell of Float64Array.from(shares.keys()).sort()) {
    const share = shares.get(cell) ?? 0;
    const run = runs.at(-1);
    if (run?.last === cell - 1 && cell - run.first < LONGEST_RUN) {
      run.last = cell;
      run.share += share;
    } else runs.push({ first: cell, last: cell, share });
  }
  return runs;
}

/** With its borders: a venue there is in two boxes. */
function boxOf({ first, last }: Run): string {
  const row = Math.floor(first / CELLS_PER_ROW) - indexOf(90);
  const column = (first % CELLS_PER_ROW) - indexOf(180);
  const [west, east] = [edge(column), edge(column + last - first + 1)];
  return formatBox({ west, south: edge(row), east, north: edge(row + 1) });
}

interface VenuesInBox {
  run: number;
  ids: string[] | null;
  xs: number[];
  ys: number[];
  names: string[];
  shown: (string[] | null)[];
}

/** Returns the names for the index. */
function addVenues({ ids: allIds, xs: allXs, ys: allYs, venues }: Cells, { first, last }: Run, row: VenuesInBox) {
  const { ids, xs, ys, names, shown } = row;
  const cellsOf = (ids ?? []).map((_, at) => cellOf(indexOf(xs[at] as number), indexOf(ys[at] as number)));
  const added: (string | string[])[] = [];
  for (let cell = first; cell <= last; cell++) {
    const from = allIds.length;
    for (let at = cellsOf.indexOf(cell); at >= 0; at = cellsOf.indexOf(cell, at + 1)) {
      allIds.push(ids?.[at] as string);
      allXs.push(xs[at] as number);
      allYs.push(ys[at] as number);
      added.push(shown[at] ?? names[at] ?? "");
    }
    venues.set(cell, { from, to: allIds.length });
  }
  return added;
}

/** Aggregated, because JSON costs Node a third of what rows cost. */
const VENUES_IN_BOXES = `SELECT q.run::int, found.*
  FROM unnest($1::box[], $2::int[]) WITH ORDINALITY q (box, most, run)
  CROSS JOIN LATERAL (
    SELECT json_agg(id) AS ids, json_agg(x) AS xs, json_agg(y) AS ys, json_agg(name_norm) AS names, json_agg(shown) AS shown
      FROM (SELECT v.id, v.name_norm, v.point[0] AS x, v.point[1] AS y,
                   CASE WHEN octet_length(v.name_norm) > char_length(v.name_norm) THEN show_trgm(v.name_norm) END AS shown
              FROM directory.venue v WHERE v.point <@ q.box LIMIT q.most + 1) few) found`;
