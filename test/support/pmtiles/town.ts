import { encodeArchive, type Tile } from "./archive.ts";
import { EXTENT, encodeTile, type Feature, type Layer } from "./vector-tile.ts";

/** Degrees. */
const BOUNDS = { west: -71.46, south: 41.79, east: -71.36, north: 41.86 };
/** In tile units. */
const MARGIN = 256;
const ZOOMS = [0, 9, 10, 11, 12, 13, 14];
const STREETS = ["Hope Street", "Benefit Street", "Angell Street", "Waterman Street", "Thayer Street", "Brook Street"];

/**
 * A PMTiles file with a town as Protomaps' basemap has it: streets in a grid, a river, a park, houses, and names in English and
 * Spanish, around the positions that the tests of maps use.
 */
export function townFile({ metadata = {} }: { metadata?: object } = {}): Buffer {
  const tiles = ZOOMS.flatMap((z) =>
    tilesAt(z).map((tile): Tile => ({ ...tile, content: encodeTile(layersOf(tile)) })),
  );
  return encodeArchive(tiles, {
    metadata: {
      attribution: '<a href="https://www.openstreetmap.org/copyright">&copy; OpenStreetMap contributors</a>',
      vector_layers: ["earth", "landuse", "water", "roads", "buildings", "places"].map((id) => ({ id, fields: {} })),
      ...metadata,
    },
    bounds: [BOUNDS.west, BOUNDS.south, BOUNDS.east, BOUNDS.north],
  });
}

interface At {
  z: number;
  x: number;
  y: number;
}

function tilesAt(z: number): At[] {
  const [west, north] = project(BOUNDS.west, BOUNDS.north, z).map(Math.floor) as [number, number];
  const [east, south] = project(BOUNDS.east, BOUNDS.south, z).map(Math.floor) as [number, number];
  const xs = Array.from({ length: east - west + 1 }, (_each, index) => west + index);
  const ys = Array.from({ length: south - north + 1 }, (_each, index) => north + index);
  return xs.flatMap((x) => ys.map((y) => ({ z, x, y })));
}

/** Web Mercator, in tiles. */
function project(lng: number, lat: number, z: number): [number, number] {
  const sine = Math.sin((lat * Math.PI) / 180);
  return [(lng / 360 + 0.5) * 2 ** z, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z];
}

function layersOf({ z, x, y }: At): Layer[] {
  const inTile = ([lng, lat]: [number, number]): [number, number] => {
    const [column, row] = project(lng, lat, z);
    return [Math.round((column - x) * EXTENT), Math.round((row - y) * EXTENT)];
  };
  const shape = (type: Feature["type"], points: [number, number][], properties: Feature["properties"]): Feature[] =>
    cut(type, points.map(inTile)).map((part) => ({ type, properties, points: part }));
  const box = (lng: number, lat: number, size: number, properties: Feature["properties"]) =>
    shape(
      "polygon",
      [
        [lng, lat],
        [lng + size, lat],
        [lng + size, lat - size * 0.7],
        [lng, lat - size * 0.7],
      ],
      properties,
    );
  const steps = Array.from({ length: 34 }, (_each, index) => index);
  const street = (index: number) => ({
    kind: index % 6 === 0 ? "major_road" : "minor_road",
    name: STREETS[index % STREETS.length] ?? "",
  });
  const river = steps.map((index): [number, number] => [
    -71.412 + 0.002 * Math.sin(index),
    BOUNDS.north - index * 0.0025,
  ]);
  const bank = [...river].reverse().map(([lng, lat]): [number, number] => [lng - 0.004, lat]);
  return [
    { name: "landuse", features: [...box(-71.404, 41.834, 0.006, { kind: "park" })] },
    { name: "water", features: [...shape("polygon", [...river, ...bank], { kind: "water" })] },
    {
      name: "buildings",
      features: steps.flatMap((index) =>
        box(-71.4245 + (index % 6) * 0.0009, 41.825 - Math.floor(index / 6) * 0.0006, 0.0005, { kind: "building" }),
      ),
    },
    {
      name: "roads",
      features: [
        ...steps.flatMap((index) =>
          shape(
            "line",
            [
              [BOUNDS.west, 41.79 + index * 0.002],
              [BOUNDS.east, 41.79 + index * 0.002 + 0.004],
            ],
            street(index),
          ),
        ),
        ...steps.flatMap((index) =>
          shape(
            "line",
            [
              [-71.46 + index * 0.003, BOUNDS.south],
              [-71.46 + index * 0.003, BOUNDS.north],
            ],
            street(index + 3),
          ),
        ),
        ...shape(
          "line",
          [
            [BOUNDS.west, 41.84],
            [-71.41, 41.82],
            [BOUNDS.east, 41.8],
          ],
          { kind: "highway", name: "I 195" },
        ),
      ],
    },
    {
      name: "places",
      features: [
        ...shape("point", [[-71.4128, 41.824]], {
          kind: "locality",
          name: "Providence",
          "name:es": "Providencia",
          population_rank: 9,
        }),
        ...shape("point", [[-71.399, 41.8275]], { kind: "neighbourhood", name: "College Hill", population_rank: 3 }),
      ],
    },
  ];
}

/** The parts of a shape in a tile and a margin around it. Renderers refuse what is far outside. */
function cut(type: Feature["type"], points: [number, number][]): [number, number][][] {
  const [least, most] = [-MARGIN, EXTENT + MARGIN];
  const isInside = (point: [number, number]) => point.every((each) => each >= least && each <= most);
  if (type === "polygon") {
    const within = points.map(
      (point) => point.map((each) => Math.min(most, Math.max(least, each))) as [number, number],
    );
    return new Set(within.map(([x]) => x)).size > 1 && new Set(within.map(([, y]) => y)).size > 1 ? [within] : [];
  }
  const parts: [number, number][][] = [[]];
  for (const point of type === "line" ? points.flatMap((from, index) => between(from, points[index + 1])) : points)
    if (isInside(point)) parts.at(-1)?.push(point);
    else parts.push([]);
  return parts.filter(({ length }) => length >= (type === "line" ? 2 : 1));
}

function between([x, y]: [number, number], to: [number, number] | undefined): [number, number][] {
  if (!to) return [[x, y]];
  const count = Math.max(1, Math.ceil(Math.hypot(to[0] - x, to[1] - y) / MARGIN));
  return Array.from({ length: count }, (_each, index): [number, number] => [
    Math.round(x + ((to[0] - x) * index) / count),
    Math.round(y + ((to[1] - y) * index) / count),
  ]);
}
