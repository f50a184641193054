import type { Bounds } from "../../contract/map.ts";
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
export interface Point {
  x: number;
  y: number;
}

/** A flat map around a point, true enough for a town. */
export function planeAt(origin: LatLng) {
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
    const before = points[index - 1];
    const after = points[index + 1];
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
    const before = points[index - 1];
    const after = points[index + 1];
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
    let farthest = 0;
    let most = tolerance;
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

/** How far a point is from a stretch. */
export function offLine(point: Point, from: Point, to: Point): number {
  const length = distance(from, to);
  if (length === 0) return distance(point, from);
  const share = ((point.x - from.x) * (to.x - from.x) + (point.y - from.y) * (to.y - from.y)) / length ** 2;
  const near = Math.min(1, Math.max(0, share));
  return distance(point, { x: from.x + near * (to.x - from.x), y: from.y + near * (to.y - from.y) });
}

export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

const lengthOf = (line: Point[]): number =>
  line.slice(1).reduce((sum, point, index) => sum + distance(line[index] ?? point, point), 0);

/** Cuts a closed ring at the bounds (Sutherland and Hodgman's algorithm). Returns nothing if it lies outside. */
export function clipRing(ring: readonly LatLng[], { south, west, north, east }: Bounds): LatLng[] {
  const edges: Edge[] = [
    { isInside: ({ lat }) => lat >= south, cut: atLat(south) },
    { isInside: ({ lat }) => lat <= north, cut: atLat(north) },
    { isInside: ({ lng }) => lng >= west, cut: atLng(west) },
    { isInside: ({ lng }) => lng <= east, cut: atLng(east) },
  ];
  return edges.reduce(clipAt, [...ring]);
}

interface Edge {
  isInside: (point: LatLng) => boolean;
  cut: (a: LatLng, b: LatLng) => LatLng;
}

function clipAt(ring: LatLng[], { isInside, cut }: Edge): LatLng[] {
  return ring.flatMap((point, index) => {
    const before = ring.at(index - 1) ?? point;
    if (isInside(point)) return isInside(before) ? [point] : [cut(before, point), point];
    return isInside(before) ? [cut(before, point)] : [];
  });
}

const atLat = (lat: number) => (a: LatLng, b: LatLng) => {
  return { lat, lng: a.lng + ((lat - a.lat) / (b.lat - a.lat)) * (b.lng - a.lng) };
};

const atLng = (lng: number) => (a: LatLng, b: LatLng) => {
  return { lng, lat: a.lat + ((lng - a.lng) / (b.lng - a.lng)) * (b.lat - a.lat) };
};

const PRECISION = 1e5;

/** Encodes points as Google's polyline: differences in units of 0.00001 degrees, five bits a character. */
export function encodeLine(line: readonly LatLng[]): string {
  let text = "";
  let lat = 0;
  let lng = 0;
  for (const point of line) {
    const next = [Math.round(point.lat * PRECISION), Math.round(point.lng * PRECISION)] as const;
    text += encodeNumber(next[0] - lat) + encodeNumber(next[1] - lng);
    [lat, lng] = next;
  }
  return text;
}

function encodeNumber(value: number): string {
  let text = "";
  let rest = value < 0 ? ~(value << 1) : value << 1;
  for (; rest >= 0x20; rest >>>= 5) text += String.fromCharCode((0x20 | (rest & 0x1f)) + 63);
  return text + String.fromCharCode(rest + 63);
}

export function decodeLine(text: string): LatLng[] {
  const line: LatLng[] = [];
  let lat = 0;
  let lng = 0;
  let value = 0;
  let shift = 0;
  let isLat = true;
  for (const character of text) {
    const bits = character.charCodeAt(0) - 63;
    value |= (bits & 0x1f) << shift;
    shift += 5;
    if (bits >= 0x20) continue;
    const difference = value & 1 ? ~(value >>> 1) : value >>> 1;
    if (isLat) lat += difference;
    else {
      lng += difference;
      line.push({ lat: lat / PRECISION, lng: lng / PRECISION });
    }
    value = 0;
    shift = 0;
    isLat = !isLat;
  }
  return line;
}
