import type { LatLng } from "../../contract/parameters.ts";
import { distance, offLine, type Point, planeAt } from "./lines.ts";

/** How far, in metres, a street goes on to the next one that it points at: its last houses seldom stand at the corner. */
const REACH = 80;
/** From how far, in metres, a venue is at a street. */
const BESIDE = 120;

interface Stretch {
  from: Point;
  to: Point;
  line: readonly LatLng[];
}

/** The lines of a town's streets, as they meet each other. */
export function createCrossings(lines: readonly (readonly LatLng[])[]) {
  const plane = planeAt(lines[0]?.[0] ?? { lat: 0, lng: 0 });
  const squares = new Map<string, Set<Stretch>>();
  for (const line of lines) for (const stretch of stretchesOf(line, plane.from)) putInto(squares, stretch);

  /** Returns what lies within `BESIDE` metres of a point, and something of what lies beyond. */
  const around = ({ x, y }: Point): Stretch[] =>
    [-1, 0, 1].flatMap((column) => [-1, 0, 1].flatMap((row) => [...(squares.get(squareOf(x, y, column, row)) ?? [])]));
  const crossing = (line: readonly LatLng[], before: LatLng, end: LatLng): LatLng[] => {
    const [from, to] = [plane.from(before), plane.from(end)];
    const length = distance(from, to) || 1;
    const way = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
    const metres = around(to).flatMap((other) => (other.line === line ? [] : metresTo(other, to, way)));
    const next = Math.min(...metres);
    return next > REACH ? [] : [plane.to({ x: to.x + way.x * next, y: to.y + way.y * next })];
  };

  return {
    /** One of the lines, at each end continued to the next street if it points at one within `REACH` metres. */
    continued(line: readonly LatLng[]): LatLng[] {
      const [first, second, last, before] = [line[0], line[1], line.at(-1), line.at(-2)];
      if (!first || !second || !last || !before) return [...line];
      return [...crossing(line, second, first), ...line, ...crossing(line, before, last)];
    },
    isAt(point: LatLng): boolean {
      const at = plane.from(point);
      return around(at).some(({ from, to }) => offLine(at, from, to) <= BESIDE);
    },
  };
}

const squareOf = (x: number, y: number, column = 0, row = 0): string =>
  `${Math.floor(x / BESIDE) + column} ${Math.floor(y / BESIDE) + row}`;

const stretchesOf = (line: readonly LatLng[], onPlane: (point: LatLng) => Point): Stretch[] => {
  const points = line.map(onPlane);
  return points.slice(1).flatMap((to, index) => ({ from: points[index] ?? to, to, line }));
};

/** Into all squares that it passes, and some of their neighbours. */
function putInto(squares: Map<string, Set<Stretch>>, stretch: Stretch): void {
  const { from, to } = stretch;
  const steps = Math.ceil(distance(from, to) / (BESIDE / 2)) || 1;
  for (let step = 0; step <= steps; step++) {
    const [x, y] = [from.x + ((to.x - from.x) * step) / steps, from.y + ((to.y - from.y) * step) / steps];
    const name = squareOf(x, y);
    const square = squares.get(name) ?? new Set();
    squares.set(name, square.add(stretch));
  }
}

/** Returns how far it is from a point, going one way, to a stretch; nothing if the way misses it. */
function metresTo({ from, to }: Stretch, start: Point, way: Point): number[] {
  const along = { x: to.x - from.x, y: to.y - from.y };
  const slant = way.x * along.y - way.y * along.x;
  if (slant === 0) return [];
  const off = { x: from.x - start.x, y: from.y - start.y };
  const metres = (off.x * along.y - off.y * along.x) / slant;
  const share = (off.x * way.y - off.y * way.x) / slant;
  return metres > 0 && share >= 0 && share <= 1 ? [metres] : [];
}
