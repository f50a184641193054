import type { LatLng } from "../../contract/parameters.ts";
import { distanceBetween, radians } from "../../matching/distance.ts";

export interface House extends LatLng {
  number: number;
}

/** In metres: a wider gap between two houses may be a bridge, a wood or another street of the same name. */
const WIDEST_GAP = 400;
const FEWEST_NUMBERS = 3;
const SHORTEST = 60;
/** How far, in metres, a drawn line may stray from the houses. */
const TOLERANCE = 9;

/** Draws a street through its houses by their numbers. Returns no line, or several if there are gaps. */
export function linesThrough(houses: readonly House[]): LatLng[][] {
  const plane = planeAt(houses[0] ?? { lat: 0, lng: 0 });
  return cut(withoutStrays(oneForEachNumber(houses).map(plane.from)))
    .filter((part) => part.length >= FEWEST_NUMBERS)
    .map((part) => simplify(smooth(smooth(smooth(part))), TOLERANCE))
    .filter((line) => lengthOf(line) >= SHORTEST)
    .map((line) => line.map(plane.to));
}

/** Leaves out the points that a line does not need to stay within `metres`. */
export function thinOut(line: readonly LatLng[], metres: number): LatLng[] {
  const plane = planeAt(line[0] ?? { lat: 0, lng: 0 });
  return simplify(line.map(plane.from), metres).map(plane.to);
}

export const metresOf = (line: readonly LatLng[]): number =>
  line.slice(1).reduce((sum, point, index) => sum + distanceBetween(line[index] ?? point, point), 0);

/** In metres. */
interface Point {
  x: number;
  y: number;
}

/** A flat map around a point, true enough for a town. */
function planeAt(origin: LatLng) {
  const metres = distanceBetween({ lat: 0, lng: 0 }, { lat: 1, lng: 0 });
  const across = metres * Math.cos(radians(origin.lat));
  return {
    from: ({ lat, lng }: LatLng): Point => ({ x: (lng - origin.lng) * across, y: (lat - origin.lat) * metres }),
    to: ({ x, y }: Point): LatLng => ({ lat: origin.lat + y / metres, lng: origin.lng + x / across }),
  };
}

/** In the middle of the venues at each number, in the order of the numbers. */
function oneForEachNumber(houses: readonly House[]): LatLng[] {
  const byNumber = [...Map.groupBy(houses, ({ number }) => number)].sort(([a], [b]) => a - b);
  return byNumber.map(([, same]) => ({
    lat: median(same.map(({ lat }) => lat)),
    lng: median(same.map(({ lng }) => lng)),
  }));
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Drops houses that lie far off the way between their neighbours, which are wrongly placed or numbered. */
function withoutStrays(points: Point[]): Point[] {
  const kept = points.filter((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (!before || !after) return true;
    const detour = distance(before, point) + distance(point, after);
    const way = distance(before, after);
    return detour < way * 1.6 + 60 || way > WIDEST_GAP;
  });
  return kept.length < points.length ? withoutStrays(kept) : kept;
}

function cut(points: Point[]): Point[][] {
  const parts: Point[][] = [];
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    if (before && distance(before, point) <= WIDEST_GAP) parts.at(-1)?.push(point);
    else parts.push([point]);
  }
  return parts;
}

/** Moves each point towards its neighbours, because odd and even numbers lie on different sides. The ends stay. */
function smooth(points: Point[]): Point[] {
  return points.map((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (!before || !after) return point;
    return { x: (before.x + 2 * point.x + after.x) / 4, y: (before.y + 2 * point.y + after.y) / 4 };
  });
}

/** Ramer, Douglas and Peucker's, without recursion: streets may have thousands of numbers. */
function simplify(points: Point[], tolerance: number): Point[] {
  const isKept = new Set([0, points.length - 1]);
  const open: [number, number][] = [[0, points.length - 1]];
  for (let span = open.pop(); span; span = open.pop()) {
    const [from, to] = span;
    let [farthest, most] = [0, tolerance];
    for (let at = from + 1; at < to; at++) {
      const off = offLine(points[at] as Point, points[from] as Point, points[to] as Point);
      if (off > most) [farthest, most] = [at, off];
    }
    if (farthest === 0) continue;
    isKept.add(farthest);
    open.push([from, farthest], [farthest, to]);
  }
  return points.filter((_, index) => isKept.has(index));
}

function offLine(point: Point, from: Point, to: Point): number {
  const length = distance(from, to);
  if (length === 0) return distance(point, from);
  const share = ((point.x - from.x) * (to.x - from.x) + (point.y - from.y) * (to.y - from.y)) / length ** 2;
  const near = Math.min(1, Math.max(0, share));
  return distance(point, { x: from.x + near * (to.x - from.x), y: from.y + near * (to.y - from.y) });
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

const lengthOf = (line: Point[]): number =>
  line.slice(1).reduce((sum, point, index) => sum + distance(line[index] ?? point, point), 0);
