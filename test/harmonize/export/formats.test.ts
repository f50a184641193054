import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, describe, expect, test } from "vitest";
import { exportText } from "../../../src/harmonize/export/export.ts";
import { TABLES, type TableFormat } from "../../../src/harmonize/export/formats.ts";
import { EXAMPLE } from "../../../src/harmonize/file/example.ts";
import { startFiles } from "../file/reader.ts";

const { deps, uploadAndRead, listings } = await startFiles();
const { pool } = deps;
const folder = mkdtempSync(path.join(tmpdir(), "samespot-formats-"));
const duckdb = await (await DuckDBInstance.create()).connect();
afterAll(() => duckdb.closeSync());

/** Writes an export to a file, and returns its path. */
async function write(run: Awaited<ReturnType<typeof uploadAndRead>>, format: TableFormat): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of exportText({ pool }, run, { format, hasCandidates: false }))
    pieces.push(Buffer.from(piece));
  const file = path.join(folder, `out-${run.id}.${format}`);
  writeFileSync(file, Buffer.concat(pieces));
  return file;
}

const query = async (sql: string) => (await duckdb.runAndReadAll(sql)).getRowObjectsJson();

const original = await uploadAndRead(readFileSync(EXAMPLE));
const wanted = (await listings(original.id)).map(({ query, print, ownId, status }) => ({
  query,
  print,
  ownId,
  status,
}));

describe("the example", () => {
  test.each(TABLES)(
    "written as %s and uploaded again gives the same listings, so the same decisions",
    async (format) => {
      const again = await uploadAndRead(readFileSync(await write(original, format)));
      expect(again.format.kind).toBe(format === "csv" ? undefined : format === "ndjson" ? "json" : format);
      expect(wanted.length).toBeGreaterThan(280);
      const found = (await listings(again.id)).map(({ query, print, ownId, status }) => ({
        query,
        print,
        ownId,
        status,
      }));
      expect(found).toEqual(wanted);
    },
  );
});

const AWKWARD = [
  ["id", "name", "lat", "lng", "note"],
  ["007", "=1+1 & <Joe’s> “Café” 店", "41.5", "-71.5", "a\nb\tc"],
  ["", "", "41.5", "", "_x0041_"],
  ["8", "Ann", "", "", "-1"],
] as const;
const CSV = AWKWARD.map((row) => row.map((cell) => `"${cell}"`).join(",")).join("\n");
const ADDED = ["venue_id", "score", "decision", "decided_by", "decided_at", "reason", "attribution"];

describe("an export can be read by other programs:", async () => {
  const run = await uploadAndRead(CSV);
  await pool.query(
    "UPDATE app.listing SET status = 'asked', score = 0.5, best_id = 'v1' WHERE harmonization_id = $1 AND number = 1",
    [run.id],
  );

  test.each([
    ["parquet", (file: string) => `SELECT * FROM read_parquet('${file}')`],
    ["json", (file: string) => `SELECT * FROM read_json('${file}', convert_strings_to_integers = false)`],
    ["ndjson", (file: string) => `SELECT * FROM read_ndjson('${file}')`],
  ] as const)("%s by DuckDB", async (format, sql) => {
    const rows = await query(sql(await write(run, format)));
    expect(Object.keys(rows[0] ?? {})).toEqual([...AWKWARD[0], ...ADDED]);
    const found = rows.map((row) => AWKWARD[0].map((name) => (row[name] === null ? "" : String(row[name]))));
    const own = AWKWARD.slice(1).map((row) => [...row]);
    if (format === "parquet") expect(found).toEqual(own);
    expect(found.map(([, name]) => name)).toEqual(own.map(([, name]) => name));
    expect(rows.map(({ score }) => score)).toEqual([0.5, null, null]);
  });

  test("GeoJSON by DuckDB", async () => {
    const rows = await query(`SELECT unnest(features) AS f FROM read_json('${await write(run, "geojson")}')`);
    const features = rows.map(({ f }) => f as { geometry: unknown; properties: Record<string, unknown> });
    expect(features.map(({ geometry }) => geometry)).toEqual([
      { type: "Point", coordinates: [-71.5, 41.5] },
      null,
      null,
    ]);
    expect(features.map(({ properties }) => properties.name)).toEqual([AWKWARD[1][1], null, "Ann"]);
  });

  const hasPython = spawnSync("python3", ["--version"]).status === 0;
  test.runIf(hasPython)("XLSX by Python’s zip and XML readers", async () => {
    const script = `
import json, sys, zipfile
from xml.etree import ElementTree
space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
book = zipfile.ZipFile(sys.argv[1])
assert book.testzip() is None
for name in book.namelist(): ElementTree.fromstring(book.read(name))
sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
print(json.dumps([["".join(cell.itertext()) for cell in row] for row in sheet.iter(space + "row")]))`;
    const { stdout, stderr } = spawnSync("python3", ["-c", script, await write(run, "xlsx")], { encoding: "utf8" });
    expect(stderr).toBe("");
    const [header, ...rows] = JSON.parse(stdout) as string[][];
    expect(header).toEqual([...AWKWARD[0], ...ADDED]);
    const own = AWKWARD.slice(1).map((row) => row.map((cell) => cell.replace("_x0041_", "_x005F_x0041_")));
    expect(rows.map((row) => row.slice(0, 5))).toEqual(own);
  });
});

test("shapes of GeoJSON other than points are matched by a point inside, and written again as they came", async () => {
  const ring = [
    [0, 0],
    [4, 0],
    [4, 4],
    [0, 4],
    [0, 0],
  ];
  const hole = [
    [1, 1],
    [3.5, 1],
    [3.5, 3],
    [1, 3],
    [1, 1],
  ];
  const geometries = [
    { type: "Polygon", coordinates: [ring, hole] },
    {
      type: "LineString",
      coordinates: [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
    },
    { type: "Point", coordinates: [5, 6] },
  ];
  const features = geometries.map((geometry, at) => ({
    type: "Feature",
    id: at,
    properties: { name: `Park ${at}` },
    geometry,
  }));
  const run = await uploadAndRead(JSON.stringify({ type: "FeatureCollection", features }));
  expect((await listings(run.id)).map(({ query }) => (query as { ll?: unknown } | null)?.ll)).toEqual([
    { lat: 2, lng: 0.5 },
    { lat: 2, lng: 2 },
    { lat: 6, lng: 5 },
  ]);
  const written = JSON.parse(readFileSync(await write(run, "geojson"), "utf8"));
  expect(written.features.map(({ geometry }: { geometry: unknown }) => geometry)).toEqual(geometries);
  expect(Object.keys(written.features[0].properties)).toEqual(["name", ...ADDED, "position_from"]);
  expect(written.features.map(({ id }: { id: unknown }) => id)).toEqual([0, 1, 2]);
});

/** What is known of a listing's position, with the geometry of its feature and where an export says that it is from. */
const FOUND = { id: "v1", name: "V", lat: 41.2, lng: -71.2 };
const ADDRESS = { lat: 41.3, lng: -71.3, estimated: true };
const PLACES: {
  of: string;
  own?: [number, number];
  name?: null;
  set?: string;
  written: [number, number] | null;
  from: string | null;
}[] = [
  { of: "its file", own: [-71.5, 41.5], written: [-71.5, 41.5], from: "file" },
  { of: "a failed row", own: [-71.5, 41.5], name: null, written: [-71.5, 41.5], from: "file" },
  { of: "nothing", written: null, from: null },
  {
    of: "its address",
    set: `query || '${JSON.stringify({ byAddress: ADDRESS })}'`,
    written: [-71.3, 41.3],
    from: "address",
  },
  { of: "its venue", written: [-71.2, 41.2], from: "venue" },
  {
    of: "its venue and address",
    set: `query || '${JSON.stringify({ byAddress: ADDRESS })}'`,
    written: [-71.2, 41.2],
    from: "venue",
  },
  {
    of: "a repair",
    own: [41.5, -71.5],
    set: `query || '{"ll": {"lat": 41.5, "lng": -71.5}, "repaired": {"by": "swapped"}}'`,
    written: [-71.5, 41.5],
    from: "repair",
  },
  {
    of: "a person",
    own: [41.5, -71.5],
    set: `query || '{"ll": {"lat": 41.6, "lng": -71.6}, "mended": {"was": {"ll": null}}}'`,
    written: [-71.6, 41.6],
    from: "correction",
  },
  {
    of: "its file, left out",
    own: [-71.5, 41.5],
    set: `(query - 'll') || '{"repaired": {"by": "shared"}}'`,
    written: [-71.5, 41.5],
    from: "file",
  },
];

test("a feature of an export has the position that Samespot knows and says where it is from, and only a position of the owner's is read again", async () => {
  const features = PLACES.map(({ of, own, name = of }, at) => ({
    ...{ type: "Feature", id: at, properties: { name, city: "Providence" } },
    geometry: own ? { type: "Point", coordinates: own } : null,
  }));
  const run = await uploadAndRead(JSON.stringify({ type: "FeatureCollection", features }));
  for (const [at, { of, set }] of PLACES.entries()) {
    if (set)
      await pool.query(`UPDATE app.listing SET query = ${set} WHERE harmonization_id = $1 AND number = $2`, [
        run.id,
        at + 1,
      ]);
    if (of.startsWith("its venue"))
      await pool.query(
        "UPDATE app.listing SET status = 'asked', decision = 'matched', venue_id = 'v1', candidates = $3 WHERE harmonization_id = $1 AND number = $2",
        [run.id, at + 1, JSON.stringify([FOUND])],
      );
  }
  let read = run;
  for (const name of ["position_from", "position_from (Samespot)"]) {
    const { features: written } = JSON.parse(readFileSync(await write(read, "geojson"), "utf8"));
    const shown = written.map(({ geometry, properties }: Written, at: number) => [
      PLACES[at]?.of,
      geometry?.coordinates ?? null,
      properties[name],
    ]);
    if (read === run) expect(shown).toEqual(PLACES.map(({ of, written, from }) => [of, written, from]));
    read = await uploadAndRead(JSON.stringify({ type: "FeatureCollection", features: written }));
    const found = await listings(read.id);
    expect(found.map(({ query }) => llOf(query))).toEqual(
      PLACES.map(({ written, from, name }) =>
        from === "venue" || from === "address" || !written || name === null
          ? undefined
          : { lng: written[0], lat: written[1] },
      ),
    );
  }
});

interface Written {
  geometry: { coordinates: unknown } | null;
  properties: Record<string, unknown>;
}

const llOf = (query: unknown) => (query as { ll?: unknown } | null)?.ll;
