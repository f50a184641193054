import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { parquetReadObjects } from "hyparquet";
import { afterAll, describe, expect, test } from "vitest";
import type { Source } from "../../../src/files/formats/base/source.ts";
import { exportText } from "../../../src/harmonize/export/export.ts";
import type { TableFormat } from "../../../src/harmonize/export/formats.ts";
import { writeParquetBehind } from "../../../src/harmonize/export/writers/parquet.ts";
import type { ExportColumn, Pieces } from "../../../src/harmonize/export/writers/table.ts";
import { beginAgain } from "../../../src/harmonize/file/begin-again.ts";
import { changeDraft } from "../../../src/harmonize/file/layout.ts";
import { startFiles } from "../file/reader.ts";

const { deps, load, read, uploadAndRead } = await startFiles();
const folder = mkdtempSync(path.join(tmpdir(), "samespot-types-"));
const duckdb = await (await DuckDBInstance.create()).connect();
afterAll(() => duckdb.closeSync());

type Run = Awaited<ReturnType<typeof uploadAndRead>>;
let files = 0;
const fileOf = (end: string) => path.join(folder, `${++files}.${end}`);

async function bytesOf(pieces: Pieces): Promise<Buffer> {
  const found: Buffer[] = [];
  for await (const piece of pieces) found.push(Buffer.from(piece));
  return Buffer.concat(found);
}

async function exported(run: Run, format: TableFormat, hasCandidates = false): Promise<string> {
  const file = fileOf(format);
  writeFileSync(file, await bytesOf(exportText(deps, run, { format, hasCandidates })));
  return file;
}

const query = async (sql: string) => (await duckdb.runAndReadAll(sql)).getRowObjectsJson();

/** Values of each type that DuckDB writes to Parquet. */
const TYPES: Record<string, string[]> = {
  tinyint: ["1::TINYINT", "(-128)::TINYINT"],
  smallint: ["1::SMALLINT", "(-32768)::SMALLINT"],
  integer: ["7", "-2147483648"],
  bigint: ["9007199254740993", "-9223372036854775808"],
  hugeint: ["170141183460469231731687303715884105727::HUGEINT", "(-1)::HUGEINT"],
  utinyint: ["255::UTINYINT", "0::UTINYINT"],
  usmallint: ["65535::USMALLINT", "0::USMALLINT"],
  uinteger: ["4294967295::UINTEGER", "0::UINTEGER"],
  ubigint: ["18446744073709551615::UBIGINT", "0::UBIGINT"],
  float: ["0.1::FLOAT", "'nan'::FLOAT"],
  double: ["0.1::DOUBLE", "'-infinity'::DOUBLE"],
  decimal_4: ["12.5::DECIMAL(4,1)", "(-0.1)::DECIMAL(4,1)"],
  decimal_9: ["1234567.89::DECIMAL(9,2)", "0.10::DECIMAL(9,2)"],
  decimal_18: ["123456789012.345678::DECIMAL(18,6)", "(-1)::DECIMAL(18,6)"],
  decimal_38: ["1234567890123456789012345678.0123456789::DECIMAL(38,10)", "0::DECIMAL(38,10)"],
  date: ["DATE '1900-02-28'", "DATE '2026-11-27'"],
  time: ["TIME '12:34:56.789'", "TIME '00:00:00'"],
  time_zone: ["'12:34:56+02'::TIMETZ", "'00:00:00+00'::TIMETZ"],
  timestamp: ["TIMESTAMP '2026-11-27 12:34:56.123456'", "TIMESTAMP '1900-01-01'"],
  timestamp_seconds: ["'2026-11-27 12:34:56'::TIMESTAMP_S", "'1900-01-01'::TIMESTAMP_S"],
  timestamp_ms: ["'2026-11-27 12:34:56.5'::TIMESTAMP_MS", "'1900-01-01'::TIMESTAMP_MS"],
  timestamp_ns: ["'2026-11-27 12:34:56.123456789'::TIMESTAMP_NS", "'1900-01-01'::TIMESTAMP_NS"],
  timestamp_zone: ["TIMESTAMPTZ '2026-11-27 12:34:56+02'", "TIMESTAMPTZ '1900-01-01 00:00:00+00'"],
  interval: ["INTERVAL '1 year 2 days 3 seconds'", "INTERVAL '0 days'"],
  boolean: ["true", "false"],
  blob: ["'\\x00\\xFF\\x41'::BLOB", "''::BLOB"],
  enum: ["'open'::ENUM('open', 'closed')", "'closed'::ENUM('open', 'closed')"],
  uuid: ["'5ca1ab1e-0000-4000-8000-000000000001'::UUID", "'00000000-0000-0000-0000-000000000000'::UUID"],
  json: [`'{"a": 1.0}'::JSON`, "'[]'::JSON"],
  text: ["'=1+1; \"a\", b'", "''"],
  list: ["[1, NULL, 3]", "[]::INTEGER[]"],
  texts: ["['a; b', '', NULL]", "[]::VARCHAR[]"],
  lists: ["[[1], [], NULL, [2, NULL]]", "[]::INTEGER[][]"],
  struct: ["{a: 1, b: {c: 'x', d: DATE '2026-01-01'}}", "{a: NULL, b: {c: '', d: NULL}}"],
  structs: ["[{street: 'Mill', no: 14}, {street: NULL, no: NULL}]", "[]::STRUCT(street VARCHAR, no INTEGER)[]"],
  map: ["MAP {'a; b': 1, 'c': NULL}", "MAP {}::MAP(VARCHAR, INTEGER)"],
  map_of_lists: ["MAP {1: ['x'], 2: []}", "MAP {}::MAP(INTEGER, VARCHAR[])"],
};

/** Writes rows with a column of every type, each with nulls. Returns the file. */
async function writeEveryType(options: string): Promise<string> {
  const columns = Object.entries(TYPES).map(
    ([name, [first, second]], at) =>
      `CASE (n + ${at}) % 3 WHEN 0 THEN ${first} WHEN 1 THEN ${second} ELSE NULL END AS "${name}"`,
  );
  return writeParquet(`SELECT n, 'Shop ' || n AS name, ${columns.join(", ")} FROM range(1, 13) AS t(n)`, options);
}

async function writeParquet(select: string, options = "COMPRESSION snappy"): Promise<string> {
  const file = fileOf("parquet");
  await duckdb.run(`COPY (${select}) TO '${file}' (FORMAT parquet, ${options})`);
  return file;
}

const typesOf = async (file: string) => {
  const rows = await query(`DESCRIBE SELECT * FROM read_parquet('${file}')`);
  return rows.map(({ column_name, column_type }) => [column_name, column_type]);
};

/** Compares all columns of `before` with those of `after` by DuckDB: names, types, values. */
async function expectSame(before: string, after: string): Promise<void> {
  const types = await typesOf(before);
  expect((await typesOf(after)).slice(0, types.length)).toEqual(types);
  const names = types.map(([name]) => `"${name}"`).join(", ");
  const [a, b] = [before, after].map((file) => `SELECT ${names} FROM read_parquet('${file}')`);
  // NULL and NaN equal themselves in EXCEPT.
  expect(await query(`(${a} EXCEPT ${b}) UNION ALL (${b} EXCEPT ${a})`)).toEqual([]);
  const joined = `SELECT count(*)::INT AS n FROM read_parquet('${before}') JOIN read_parquet('${after}') USING (n)`;
  expect(await query(joined)).toEqual(await query(`SELECT count(*)::INT AS n FROM (${a})`));
}

const OURS: ExportColumn[] = [
  { name: "venue_id", kind: "text" },
  { name: "score", kind: "number" },
];
const asArrayBuffer = ({ buffer, byteOffset, length }: Buffer) =>
  buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer;

const ADDED = [
  ["venue_id", "VARCHAR"],
  ["score", "DOUBLE"],
  ...["decision", "decided_by", "decided_at", "reason", "attribution"].map((name) => [name, "VARCHAR"]),
];

describe("F122: a Parquet file comes back with each of its columns in its type and with its values", () => {
  test.each(["COMPRESSION snappy", "COMPRESSION zstd, PARQUET_VERSION v2"])(
    "for every type that DuckDB writes (%s), and our columns are behind",
    async (options) => {
      const before = await writeEveryType(options);
      const run = await uploadAndRead(readFileSync(before));
      const after = await exported(run, "parquet");
      await expectSame(before, after);
      expect((await typesOf(after)).slice(-ADDED.length)).toEqual(ADDED);
    },
  );

  test("in groups of rows of any length, each row with the cells of its line", async () => {
    const before = await writeParquet(
      "SELECT n, [n, n + 1] AS list FROM range(1, 10101) AS t(n)",
      "ROW_GROUP_SIZE 6144",
    );
    const columns = [{ name: "n", kind: "text" as const, isOwn: true }, ...OURS];
    const rows = Array.from({ length: 10_100 }, (_, at) => ({
      line: at + 1,
      cells: ["", `v${at + 1}`, String(at / 8)],
    }));
    async function* pages() {
      const there = rows.filter(({ line }) => line % 1000 > 0);
      for (let from = 0; from < there.length; from += 700) yield there.slice(from, from + 700);
    }
    const bytes = readFileSync(before);
    const source: Source = {
      size: bytes.length,
      async *bytes(from = 0, to = bytes.length) {
        yield bytes.subarray(from, to);
      },
    };
    const after = fileOf("parquet");
    const pieces = writeParquetBehind({ columns, pages: pages(), rowCount: rows.length }, source);
    writeFileSync(after, await bytesOf(pieces));
    await expectSame(before, after);
    const groups = (file: string) =>
      query(`SELECT DISTINCT row_group_id, row_group_num_rows FROM parquet_metadata('${file}') ORDER BY ALL`);
    expect(await groups(after)).toEqual(await groups(before));
    const wanted = "CASE WHEN n % 1000 > 0 THEN {v: 'v' || n, s: (n - 1) / 8} ELSE {v: NULL, s: NULL} END";
    const wrong = `SELECT n FROM read_parquet('${after}') WHERE {v: venue_id, s: score} IS DISTINCT FROM ${wanted}`;
    expect(await query(wrong)).toEqual([]);
    expect(
      await parquetReadObjects({ file: asArrayBuffer(readFileSync(after)), rowStart: 9999, rowEnd: 10_000 }),
    ).toEqual([{ n: 10_000n, list: [10_000n, 10_001n], venue_id: null, score: null }]);
  });

  test("with names that we use too, nested ones among them, and after it was packed, begun again and exported twice", async () => {
    const columns = "{a: n} AS venue_id, n::DECIMAL(9,2) AS score, [DATE '2026-01-01'] AS decision";
    const before = await writeParquet(`SELECT n, 'Shop' AS name, ${columns} FROM range(1, 4) AS t(n)`);
    const run = await uploadAndRead(gzipSync(readFileSync(before)));
    const once = await exported(run, "parquet");
    await expectSame(before, once);
    const names = (await typesOf(once)).map(([name]) => name);
    expect(names.slice(5, 8)).toEqual(["venue_id (Samespot)", "score (Samespot)", "decision (Samespot)"]);
    await expectSame(once, await exported(await uploadAndRead(readFileSync(once)), "parquet", true));

    const id = await beginAgain(deps, run);
    await changeDraft(deps, await load(id), { columns: run.columns, previousId: null }, "start");
    await read(await load(id));
    await expectSame(before, await exported(await load(id), "parquet"));
  });

  test("but text if its names stand in a later row, or if its bytes were not kept", async () => {
    const before = await writeParquet("SELECT n, 'Shop' AS name FROM range(1, 4) AS t(n)");
    const run = await uploadAndRead(readFileSync(before));
    const text = { n: "VARCHAR", name: "VARCHAR" };
    const above = { ...run, format: { ...run.format, headerLine: 2 } };
    expect(Object.fromEntries(await typesOf(await exported(above, "parquet")))).toMatchObject(text);
    await deps.pool.query("DELETE FROM app.file_part WHERE harmonization_id = $1", [run.id]);
    expect(Object.fromEntries(await typesOf(await exported(run, "parquet")))).toMatchObject(text);
  });

  test("and one that is deleted during the download breaks off", async () => {
    const before = await writeParquet(
      "SELECT n, repeat(uuid()::VARCHAR, 9) AS name FROM range(1, 1001) AS t(n)",
      "COMPRESSION uncompressed",
    );
    const run = await uploadAndRead(readFileSync(before));
    const pieces = exportText(deps, run, { format: "parquet", hasCandidates: false });
    await pieces.next();
    await deps.pool.query("DELETE FROM app.file_part WHERE harmonization_id = $1", [run.id]);
    await expect(bytesOf(pieces)).rejects.toMatchObject({ status: 409, code: "deleted" });
  });
});

/** Values of JSON as files have them, and those that programs mistake: numbers keep even how they are written. */
const VALUES = [
  ..."0 -0 1 1.0 -1.50 1e5 1E-7 9007199254740993 0.1234567890123456789 123456789012345678901234567890 true false null".split(
    " ",
  ),
  ...['""', '"007"', '"a; b"', '"NaN"', '"\\u0000\\ud800"', "[]", "{}", "[1.0,null,[2]]", '["a; b","",null]'],
  ...['{"a":{"b":[{"c":1.0}]}}', '{"__proto__":1,"a.b":2,"":3}', '{"type":"Point","coordinates":[1.0,2]}'],
];
const RECORDS = VALUES.map((value, at) => `{"n":${at + 1},"name":"Shop","value":${value},"list":[${value},${value}]}`);
const ours = (record: object) => Object.fromEntries(Object.entries(record).filter(([name]) => !ADDED_NAMES.has(name)));
const ADDED_NAMES = new Set([...ADDED.map(([name]) => name), "position_from"]);
/** Numbers as text, so that 1 and 1.0 differ. */
const exactly = (text: string) =>
  JSON.parse(text, (_, value, context?: { source: string }) =>
    typeof value === "number" ? `number ${context?.source}` : value,
  );

const asList = async (run: Run, format: TableFormat) => exactly(readFileSync(await exported(run, format), "utf8"));

describe("F123: JSON comes back with each value as it was", () => {
  const texts = {
    "a list": `[${RECORDS.join(",\n ")}]`,
    "a list in an object": `{"count": 3, "places": [${RECORDS.join(",")}]}`,
    "objects on lines": RECORDS.join("\n"),
    "objects in UTF-16": Buffer.from(`\ufeff${RECORDS.join("\n")}`, "utf16le"),
  };

  test.each(Object.entries(texts))("%s, as JSON and as NDJSON", async (_, text) => {
    const run = await uploadAndRead(text);
    const lines = readFileSync(await exported(run, "ndjson"), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines.map((line) => ours(exactly(line)))).toEqual(RECORDS.map(exactly));
    expect((await asList(run, "json")).map(ours)).toEqual(RECORDS.map(exactly));
  });

  test("any record that fast-check makes, and as DuckDB types it", async () => {
    const records = fc.sample(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), { numRuns: 300, seed: 1 });
    const before = fileOf("ndjson");
    writeFileSync(before, records.map((record, n) => JSON.stringify({ n, name: "Shop", ...record })).join("\n"));
    const run = await uploadAndRead(readFileSync(before));
    const after = await exported(run, "ndjson");
    const found = readFileSync(after, "utf8").trimEnd().split("\n");
    expect(found.map((line) => ours(JSON.parse(line)))).toEqual(
      readFileSync(before, "utf8")
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
  });

  test("numbers, dates, truth values, lists and objects have the types that DuckDB saw before", async () => {
    const before = fileOf("json");
    const select =
      "SELECT n, n / 4 AS x, n::DOUBLE AS y, DATE '2026-01-01' AS day, n > 2 AS is, [n, NULL] AS list, {a: n, b: {c: 'x'}} AS deep";
    await duckdb.run(
      `COPY (${select}, 'Shop' AS name FROM range(1, 9) AS t(n)) TO '${before}' (FORMAT json, ARRAY true)`,
    );
    const after = await exported(await uploadAndRead(readFileSync(before)), "json");
    const [was, is] = await Promise.all(
      [before, after].map((file) => query(`DESCRIBE SELECT * FROM read_json('${file}')`)),
    );
    expect(is?.slice(0, was?.length)).toEqual(was);
    const [a, b] = [before, after].map((file) => `SELECT n, x, y, day, "is", list, deep FROM read_json('${file}')`);
    expect(await query(`(${a} EXCEPT ${b}) UNION ALL (${b} EXCEPT ${a})`)).toEqual([]);
  });

  test("a name of ours that a record has keeps the record’s value", async () => {
    const records = [{ name: "Shop", venue_id: { a: 1 }, score: [1] }, { name: "Inn" }];
    const run = await uploadAndRead(JSON.stringify(records));
    const [first, second] = await asList(run, "json");
    expect(first).toMatchObject({ venue_id: { a: "number 1" }, score: ["number 1"], "venue_id (Samespot)": null });
    expect(Object.keys(second)).toEqual([
      "name",
      "venue_id (Samespot)",
      "score (Samespot)",
      ...[...ADDED_NAMES].slice(2, 7),
    ]);
  });

  test("what is no object comes as the text that is shown of it", async () => {
    const run = await uploadAndRead('[{"name":"Shop","x":1},7,{"name":"Inn","x":NaN}]');
    const list = await asList(run, "json");
    expect(list.map(ours)).toEqual([
      { name: "Shop", x: "number 1" },
      { name: "7", x: null },
      { name: "Inn", x: null },
    ]);
  });
});

describe("F123: GeoJSON comes back with its properties, members and geometries as they were", () => {
  const geometries = [
    '{"type":"Point","coordinates":[-71.50,41.5,12.0]}',
    '{"type":"Polygon","coordinates":[[[0,0],[1.0,0],[1,1],[0,0]]]}',
    '{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]}]}',
  ];
  const feature = (record: string, at: number) =>
    `{"type":"Feature","id":${at % 2 ? at : `"way/${at}"`},"bbox":[1.0,2,3,4],"properties":${record},"geometry":${geometries[at % 3]}}`;
  const FEATURES = RECORDS.map(feature);
  const collection = `{"type":"FeatureCollection","features":[${FEATURES.join(",\n")}]}`;
  const withoutOurs = (each: { properties: object }) => ({ ...each, properties: ours(each.properties) });

  test("as GeoJSON", async () => {
    const run = await uploadAndRead(collection);
    const { features } = await asList(run, "geojson");
    expect(features.map(withoutOurs)).toEqual(FEATURES.map(exactly));
  });

  test("one feature on a line; as JSON and NDJSON its properties are typed, with its id and position", async () => {
    const run = await uploadAndRead(FEATURES.join("\n"));
    const lines = readFileSync(await exported(run, "ndjson"), "utf8")
      .trimEnd()
      .split("\n");
    const wanted = FEATURES.map((text) => exactly(text)).map(({ id, properties }) => ({ id, ...properties }));
    expect(lines.map((line) => ours(exactly(line)))).toMatchObject(wanted);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ "geometry.latitude": 41.5, "geometry.longitude": -71.5 });
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({ geometry: JSON.parse(geometries[1] ?? "") });
    expect((await asList(run, "json")).map(ours)).toMatchObject(wanted);
  });

  test("JSON as GeoJSON keeps its values as properties", async () => {
    const run = await uploadAndRead(`[${RECORDS.join(",")}]`);
    const { features } = await asList(run, "geojson");
    expect(features.map(({ properties }: { properties: object }) => ours(properties))).toEqual(RECORDS.map(exactly));
  });

  test("with another reference system the geometries come in degrees, the properties as they were", async () => {
    const crs = '"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}}';
    const point = '{"type":"Point","coordinates":[-7959343.6,5088000.1]}';
    const run = await uploadAndRead(
      `{"type":"FeatureCollection",${crs},"features":[{"type":"Feature","properties":{"name":"Shop","x":1.0},"geometry":${point}}]}`,
    );
    const { crs: kept, features } = JSON.parse(readFileSync(await exported(run, "geojson"), "utf8"));
    expect(kept).toBeUndefined();
    const [lng, lat] = features[0].geometry.coordinates;
    expect([lng, lat].map(Math.round)).toEqual([-72, 42]);
    expect((await asList(run, "geojson")).features[0].properties.x).toBe("number 1.0");
  });

  test("a position that a person put right, or that is the venue’s, takes the place of the file’s", async () => {
    const run = await uploadAndRead(collection);
    await deps.pool.query(
      `UPDATE app.listing SET query = query || '{"ll":{"lat":1.5,"lng":2.5},"mended":{"was":{"ll":null},"by":"x","at":"2026"}}'
        WHERE harmonization_id = $1 AND number = 1`,
      [run.id],
    );
    const { features } = JSON.parse(readFileSync(await exported(run, "geojson"), "utf8"));
    expect(features[0].geometry).toEqual({ type: "Point", coordinates: [2.5, 1.5] });
    expect(features[0].properties.position_from).toBe("correction");
  });
});
