type Position = [x: number, y: number];

const SHAPES = ["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"] as const;

/** A geometry of GeoJSON (RFC 7946, 3.1), with unchecked coordinates. */
export interface Geometry {
  type: (typeof SHAPES)[number] | "GeometryCollection";
  coordinates?: unknown;
  geometries?: unknown;
}

export function isGeometry(value: unknown): value is Geometry {
  const { type, coordinates, geometries } = (value ?? {}) as Partial<Geometry>;
  if (type === "GeometryCollection") return Array.isArray(geometries);
  return SHAPES.some((shape) => shape === type) && Array.isArray(coordinates);
}

/** Returns a position of a point or line, or one inside a surface: of several the largest one. Undefined if it has none. */
export function pointIn(geometry: Geometry): Position | undefined {
  const { type, coordinates, geometries } = geometry;
  if (type === "GeometryCollection") {
    const found = (geometries as unknown[]).flatMap((each) => (isGeometry(each) ? (pointIn(each) ? [each] : []) : []));
    const surface = found.find((each) => each.type.endsWith("Polygon"));
    return found[0] && pointIn(surface ?? found[0]);
  }
  const all = coordinates as unknown[];
  if (type === "Point") return positionOf(all);
  if (type === "MultiPoint") return positionOf(all[0]);
  if (type === "LineString") return middleOf(all);
  if (type === "MultiLineString") return middleOf(all.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]);
  const surfaces = (type === "Polygon" ? [all] : all).map(ringsOf);
  const [largest] = surfaces.toSorted((a, b) => areaOf(b[0]) - areaOf(a[0]));
  return largest && insideOf(largest);
}

function positionOf(value: unknown): Position | undefined {
  const [x, y] = Array.isArray(value) ? value : [];
  return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined;
}

const positionsOf = (value: unknown): Position[] =>
  Array.isArray(value)
    ? value.flatMap((each) => [positionOf(each) ?? []].filter((one): one is Position => one.length > 0))
    : [];

const sizeOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

function middleOf(line: unknown): Position | undefined {
  const positions = positionsOf(line);
  return positions[Math.floor((positions.length - 1) / 2)];
}

const ringsOf = (surface: unknown): Position[][] => (Array.isArray(surface) ? surface.map(positionsOf) : []);

function areaOf(ring: Position[] = []): number {
  let sum = 0;
  for (const [index, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(index + 1) % ring.length] ?? [x, y];
    sum += x * nextY - nextX * y;
  }
  return Math.abs(sum / 2);
}

/** Returns the middle of the longest stretch inside, on the parallel halfway up; holes are outside. */
function insideOf(rings: Position[][]): Position | undefined {
  const heights = rings[0]?.map(([, y]) => y) ?? [];
  if (heights.length === 0) return undefined;
  const [low, high] = heights.reduce(
    ([least, most], y) => [Math.min(least, y), Math.max(most, y)],
    [Infinity, -Infinity],
  );
  const y = (low + high) / 2;
  const crossings = rings.flatMap((ring) => crossingsOf(ring, y)).sort((a, b) => a - b);
  let best: [from: number, to: number] | undefined;
  for (let at = 0; at + 1 < crossings.length; at += 2) {
    const [from = 0, to = 0] = crossings.slice(at, at + 2);
    if (!best || to - from > best[1] - best[0]) best = [from, to];
  }
  return best ? [(best[0] + best[1]) / 2, y] : rings[0]?.[0];
}

function crossingsOf(ring: Position[], y: number): number[] {
  return ring.flatMap(([x1, y1], index) => {
    const [x2, y2] = ring[(index + 1) % ring.length] ?? [x1, y1];
    return y1 > y !== y2 > y ? [x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)] : [];
  });
}
