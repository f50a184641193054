import { contains, distanceOnMap, type Region } from "../mercator.ts";
import type { NameIndex, Range } from "./name-index.ts";

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
  others: OtherNameIndex[];
}

/** Its names are numbered from 0; the venue of each, in ascending order. */
export interface OtherNameIndex {
  index: NameIndex;
  venues: number[];
}

export interface Point {
  x: number;
  y: number;
}

/** A power of two, so that rounding moves no venue on a border into another cell. */
const CELLS_PER_DEGREE = 128;

/** More than there are around the earth, so that the last cell of a row is not next to the first of another. */
export const CELLS_PER_ROW = 2 ** 16;

/** Beyond these Mercator degrees cells are small on the ground. */
export const FARTHEST_NORTH = 88;

export const noCells = (): Cells => ({ ids: [], xs: [], ys: [], venues: new Map(), names: [], others: [] });

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
    if (worst && byDistance(cells, each, worst) > 0) continue;
    let place = worst ? count - 1 : nearest.length;
    for (; place > 0 && byDistance(cells, each, nearest[place - 1] as Near) < 0; place--)
      nearest[place] = nearest[place - 1] as Near;
    nearest[place] = each;
  }
}

export const byDistance = (cells: Cells, a: Near, b: Near): number =>
  a.distance - b.distance || byId(cells, a.at, b.at);

export const isIn = (region: Region, { xs, ys }: Cells, at: number): boolean =>
  contains(region, xs[at] as number, ys[at] as number);

export const distanceTo = ({ x, y }: Point, { xs, ys }: Cells, at: number): number =>
  distanceOnMap((xs[at] as number) - x, (ys[at] as number) - y);

/** As COLLATE "C". */
export const byId = ({ ids }: Cells, a: number, b: number): number =>
  (ids[a] as string) < (ids[b] as string) ? -1 : 1;

export const indexOf = (degrees: number): number => Math.floor(degrees * CELLS_PER_DEGREE);
export const edge = (index: number): number => index / CELLS_PER_DEGREE;
export const cellOf = (column: number, row: number): number =>
  (row + indexOf(90)) * CELLS_PER_ROW + column + indexOf(180);

const cornersOf = ({ west, south, east, north }: Region): Region => ({
  west: indexOf(west),
  south: indexOf(south),
  east: indexOf(east),
  north: indexOf(north),
});

export function cellsUnder(region: Region): number[] {
  const { west, south, east, north } = cornersOf(region);
  const cells: number[] = [];
  for (let row = south; row <= north; row++)
    for (let column = west; column <= east; column++) cells.push(cellOf(column, row));
  return cells;
}
