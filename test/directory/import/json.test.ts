import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFeatures } from "../../../src/directory/import/features.ts";
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
    "[]",
    JSON.stringify(feature),
  ];
  const result = await run(write("mixed.ndjson", `\uFEFF${lines.join("\r\n")}`));
  expect(result).toMatchObject({ imported: 2, refused: 2 });
  expect(result.problems).toEqual([
    { line: 2, problem: "is not valid JSON" },
    { line: 4, problem: "is not an object" },
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
    const { imported, problems } = await run(write("none.geojson", collection(...features)), { keepIds: true });
    expect(imported).toBe(0);
    const none = "is not a GeoJSON feature with a geometry";
    expect(problems.map(({ problem }) => problem)).toEqual([none, none, none, expect.stringContaining("lat")]);
  });

  test("skips only invalid features, and reports each with its number", async () => {
    const large = { ...kiosk(3), geometry: { type: "LineString", coordinates: Array(500_000).fill([1, 2]) } };
    const text = collection(
      JSON.stringify(kiosk(1)),
      '{"type":"Feature", broken}',
      JSON.stringify(large),
      "",
      '"text, with a comma and a ] bracket"',
      JSON.stringify(kiosk(6, { name: 'A } "quoted" \\ ] kiosk' })),
    );
    const result = await run(write("wrong.geojson", text), { keepIds: true });
    expect(result.problems).toEqual([
      { line: 2, problem: "is not valid JSON" },
      { line: 3, problem: "is longer than a million characters" },
      { line: 4, problem: "is not valid JSON" },
      { line: 5, problem: "is not an object" },
    ]);
    expect(await venues()).toMatchObject([{ name: 'A } "quoted" \\ ] kiosk' }, { name: "Kiosk 1" }]);
  });

  test("reads a file longer than its buffer, and reports a truncated file with the number of stored venues", async () => {
    const features = Array.from({ length: 12_000 }, (_, index) =>
      JSON.stringify(kiosk(index, { note: "x".repeat(200) })),
    );
    const text = collection(...features);
    const cut = write("cut.json", text.slice(0, -1000));
    await expect(run(cut)).rejects.toThrow(/cut off after feature 1199\d\. 10000 venues of the file are stored\. Run/);
    expect(await run(write("cut.json", text))).toMatchObject({ imported: 2000, unchanged: 10_000 });
  });

  test.each([
    ["a list of objects", '[{"features":[{}]}]'],
    ["a collection in a collection", '{"type":"FeatureCollection","more":{"features":[{}]}}'],
    ["features that are not a list", '{"features":{"a":[{}]}}'],
    ["no features", "{}"],
    ["nothing", ""],
  ])("rejects %s", async (_, text) => {
    await expect(run(write("other.geojson", text))).rejects.toThrow(/not a GeoJSON FeatureCollection/);
  });

  test("reads a file as JSON.parse does, however it is split into chunks", async () => {
    const [before, behind] = [fc.dictionary(fc.constantFrom("type", "a", '"', "\\"), fc.jsonValue()), fc.jsonValue()];
    const whole = fc.tuple(
      before,
      fc.array(fc.jsonValue()),
      behind,
      fc.constantFrom(undefined, 1),
      fc.integer({ min: 1, max: 9 }),
    );
    await fc.assert(
      fc.asyncProperty(whole, async ([first, features, last, indent, size]) => {
        const text = JSON.stringify({ ...first, features, last }, null, indent);
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
        const found: unknown[] = [];
        for await (const feature of readFeatures(Readable.from(pieces.map((piece) => Buffer.from(piece)))))
          found.push(JSON.parse(feature ?? ""));
        expect(found).toEqual(JSON.parse(JSON.stringify(features)));
      }),
    );
  });
});

test.each([
  ["csv", "name,lat,lng,addr:street,tel,phone\nA,41,-71,Main St,1,\nB,41,-71,,1,2\n", { "addr:street": 1, phone: 1 }],
  [
    "geojson",
    JSON.stringify({
      type: "FeatureCollection",
      features: [
        { "addr:street": "Main St", "addr:city": "Town", amenity: "cafe", empty: null, none: [] },
        { "addr:street_address": "1 Main St", "@spider": "x", amenity: "" },
      ].map((more, id) => ({
        ...{ type: "Feature", id, geometry: { type: "Point", coordinates: [-71, 41] } },
        properties: { name: "A", ...more },
      })),
    }),
    { "addr:street": 1, "addr:city": 1, amenity: 1, "addr:street_address": 1, "@spider": 1 },
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
