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

  test("reads the position from the geometry, and rejects any other than a point", async () => {
    const line = { ...kiosk(2), geometry: { type: "LineString", coordinates: [] } };
    const text = collection(JSON.stringify(kiosk(1)), JSON.stringify(line));
    const result = await run(write("map.geojson.gz", gzipSync(text)), { keepIds: true });
    expect(result).toMatchObject({
      imported: 1,
      problems: [{ line: 2, problem: "is not a GeoJSON feature with a point" }],
    });
    expect(await venues()).toMatchObject([{ id: "k1", lat: 41.8, lng: -71.4 }]);
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
