import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import { isRelease } from "../../../src/directory/import/release/read-release.ts";
import { categoryId } from "../api/host.ts";
import { importing } from "./importing.ts";

const { write, run, venues } = await importing();

test("an NDJSON import accepts objects and GeoJSON features, and skips only the broken lines", async () => {
  const feature = {
    type: "Feature",
    geometry: { type: "Point", coordinates: [-71.4, 41.8] },
    properties: { id: 7, name: "Kiosk", fsq_category_labels: ["Retail > Coffee Shop"] },
  };
  const lines = [
    JSON.stringify({ id: 1, name: "Cafe", lat: 41.8, lng: -71.4 }),
    "{",
    "",
    "[1]",
    JSON.stringify(feature),
  ];
  const result = await run(write("mixed.ndjson", `\uFEFF${lines.join("\r\n")}`));
  expect(result).toMatchObject({ imported: 2, refused: 2, counts: "line" });
  expect(result.problems).toEqual([
    { line: 2, problem: "it is not valid JSON, or no object" },
    { line: 4, problem: "it is not valid JSON, or no object" },
  ]);
  expect(await venues()).toMatchObject([{ name: "Cafe" }, { name: "Kiosk", category_id: categoryId("Coffee Shop") }]);
});

describe("a GeoJSON import", () => {
  const kiosk = (index: number, more: object = {}) => ({
    type: "Feature",
    id: `k${index}`,
    properties: { name: `Kiosk ${index}`, ...more },
    geometry: { type: "Point", coordinates: [-71.4, 41.8] },
  });
  const collection = (...features: string[]) => `{"type":"FeatureCollection","features":[${features.join(",")}]}`;

  const ring = (west: number, south: number, east: number, north: number) => [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];

  test.each([
    ["a point", { type: "Point", coordinates: [-71.4, 41.8, 12] }, [41.8, -71.4]],
    [
      "several points",
      {
        type: "MultiPoint",
        coordinates: [
          [-71.4, 41.8],
          [1, 2],
        ],
      },
      [41.8, -71.4],
    ],
    [
      "a line",
      {
        type: "LineString",
        coordinates: [
          [-71.5, 41.7],
          [-71.4, 41.8],
          [-71.3, 41.9],
        ],
      },
      [41.8, -71.4],
    ],
    ["a surface", { type: "Polygon", coordinates: [ring(-71.5, 41.7, -71.3, 41.9)] }, [41.8, -71.4]],
    [
      "a surface with a hole",
      { type: "Polygon", coordinates: [ring(-71.6, 41.7, -71.2, 41.9), ring(-71.5, 41.75, -71.2, 41.85)] },
      [41.8, -71.55],
    ],
    [
      "several surfaces",
      { type: "MultiPolygon", coordinates: [[ring(1, 1, 1.1, 1.1)], [ring(-72, 41, -71, 42)]] },
      [41.5, -71.5],
    ],
    [
      "several geometries",
      {
        type: "GeometryCollection",
        geometries: [
          { type: "Point", coordinates: [1, 2] },
          { type: "Polygon", coordinates: [ring(-71.5, 41.7, -71.3, 41.9)] },
        ],
      },
      [41.8, -71.4],
    ],
  ])("places the venue of %s at a position of it or inside", async (_, geometry, [lat = 0, lng = 0]) => {
    const text = collection(JSON.stringify({ ...kiosk(1), geometry }));
    expect(await run(write("map.geojson.gz", gzipSync(text)), { keepIds: true })).toMatchObject({ imported: 1 });
    const [venue] = await venues();
    expect([venue?.lat, venue?.lng]).toEqual([expect.closeTo(lat, 9), expect.closeTo(lng, 9)]);
  });

  test("rejects a feature without a position, and one that is nowhere on earth", async () => {
    const geometries = [null, { type: "LineString", coordinates: [] }, { type: "Curve", coordinates: [[1, 2]] }];
    const far = { type: "Polygon", coordinates: [ring(389_812, 5_818_911, 389_912, 5_819_011)] };
    const features = [...geometries, far].map((geometry) => JSON.stringify({ ...kiosk(1), geometry }));
    const file = write(
      "none.geojson",
      collection(...[5, 6, 7, 8].map((index) => JSON.stringify(kiosk(index))), ...features),
    );
    const { imported, problems } = await run(file, { keepIds: true });
    expect(imported).toBe(4);
    const none = "lat is missing; lng is missing";
    expect(problems.map(({ problem }) => problem)).toEqual([
      none,
      none,
      "name is missing; lat is missing; lng is missing",
      "geometry.latitude “5818961” is not on earth",
    ]);
  });

  test("skips only invalid features, and reports each with its number", async () => {
    const large = { ...kiosk(3), geometry: { type: "LineString", coordinates: Array(200_000).fill([1, 2]) } };
    const text = collection(
      JSON.stringify(kiosk(1)),
      '{"type":"Feature", broken}',
      JSON.stringify(large),
      "",
      '"text, with a comma and a ] bracket"',
      JSON.stringify(kiosk(6, { name: 'A } "quoted" \\ ] kiosk' })),
    );
    const result = await run(write("wrong.geojson", text), { keepIds: true });
    expect(result.counts).toBe("feature");
    const invalid = "it is not valid JSON, or no object";
    expect(result.problems).toEqual([
      { line: 2, problem: invalid },
      { line: 3, problem: "the line is longer than a million characters" },
      { line: 4, problem: invalid },
    ]);
    expect(await venues()).toMatchObject([{ name: 'A } "quoted" \\ ] kiosk' }, { name: "Kiosk 1" }]);
  });

  test.each([
    ["within a feature", 20],
    ["between two features", 1],
  ])("F114: one that is cut off %s is refused there, and what is before it is stored", async (_, characters) => {
    const features = [1, 2, 3].map((index) => JSON.stringify(kiosk(index)));
    const text = collection(...features).slice(0, -"]}".length);
    const cut = characters === 1 ? `${text},` : text.slice(0, -characters);
    const { imported, refused, problems } = await run(write("cut.json", cut));
    expect({ imported, refused }).toEqual({ imported: characters === 1 ? 3 : 2, refused: 1 });
    expect(problems).toEqual([{ line: imported + 1, problem: "it is not valid JSON, or no object" }]);
  });

  test.each([
    ["a collection without features", '{"type":"FeatureCollection","features":[]}'],
    ["no list", "{}"],
    ["nothing", ""],
  ])("rejects %s", async (_, text) => {
    await expect(run(write("other.geojson", text))).rejects.toThrow(/has no records|has no rows|is empty/);
  });
});

test.each([
  ["csv", "name,lat,lng,stars,price,empty\nA,41,-71,5,1,\nB,41,-71,,1,\n", { price: 2, stars: 1 }],
  [
    "geojson",
    JSON.stringify({
      type: "FeatureCollection",
      features: [
        {
          "addr:street": "Main St",
          "addr:city": "Town",
          amenity: "cafe",
          opening_hours: "24/7",
          empty: null,
          none: [],
        },
        { "addr:city": "Town", "@spider": "x", amenity: "" },
      ].map((more, id) => ({
        ...{ type: "Feature", id, geometry: { type: "Point", coordinates: [-71, 41] } },
        properties: { name: "A", ...more },
      })),
    }),
    { opening_hours: 1, "@spider": 1 },
  ],
  ["ndjson", '{"name":"A","lat":41,"lng":-71,"opening_hours":"24/7"}\n', { opening_hours: 1 }],
  ["tsv", "name\tlat\tlng\tstars\nA\t41\t-71\t5\n", { stars: 1 }],
])("an import of %s counts what it does not use, by the names of the file", async (format, content, unused) => {
  expect((await run(write(`unused.${format}`, content))).unused).toEqual(unused);
});

test("an import uses every field that it is said to read", async () => {
  const fields = {
    name: "A",
    lat: 41,
    lng: -71,
    address: "1 Main St",
    crossStreet: "at Oak St",
    city: "Town",
    state: "RI",
  };
  const more = {
    zip: "02903",
    country: "US",
    phone: "4015550123",
    twitter: "a",
    url: "https://a.example",
    description: "x",
  };
  const file = write("all.ndjson", JSON.stringify({ id: 1, category: "Coffee Shop", ...fields, ...more }));
  expect((await run(file)).unused).toEqual({});
});

test("F124: a Parquet file of no release is imported as any list, with chosen columns, and one of a release is not", async () => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const parquet = async (name: string, select: string) => {
    const file = write(name, "");
    await connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet)`);
    return file;
  };
  const position = "41.8 + n / 1e3 AS lat, -71.4::DOUBLE AS lng";
  const ours = await parquet(
    "ours.parquet",
    `SELECT n AS store_no, 'Kiosk ' || n AS name, ${position}, DATE '2026-01-01' AS opened FROM range(10, 13) AS t(n)`,
  );
  const chosen = await parquet(
    "chosen.parquet",
    `SELECT 'No ' || n AS name, 'Bar ' || n AS b, ${position} FROM range(1, 3) AS t(n)`,
  );
  const nested = `{'primary': 'Cafe'} AS names, {'primary': 'cafe'} AS categories`;
  const release = await parquet(
    "release.parquet",
    `SELECT 'x' AS id, ${nested}, 'point' AS geometry, [{'dataset': 'meta'}] AS sources, 0.9 AS confidence`,
  );
  expect(await Promise.all([ours, chosen, release].map(isRelease))).toEqual([false, false, true]);
  const damaged = write("damaged.parquet", "PAR1 and no more");
  expect(await Promise.all([damaged, "none.parquet", "*.csv", "src", "package.json"].map(isRelease))).toEqual([
    ...[true, true, true, true, false],
  ]);
  const result = await run(ours);
  expect(result).toMatchObject({ imported: 3, refused: 0, counts: "row" });
  expect(Object.keys(result.unused)).toEqual(["opened"]);
  expect(await run(chosen, { columns: "name=b" })).toMatchObject({ imported: 2 });
  expect(await run(ours)).toMatchObject({ imported: 0, unchanged: 3 });
  expect((await venues()).map(({ name, lat }) => [name, lat])).toEqual([
    ...[1, 2].map((n) => [`Bar ${n}`, 41.8 + n / 1000]),
    ...[10, 11, 12].map((n) => [`Kiosk ${n}`, 41.8 + n / 1000]),
  ]);
});
