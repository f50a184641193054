import { createHash } from "node:crypto";
import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import xlsx from "xlsx";
import type { Packed } from "../../../src/files/formats/apart.ts";
import { sourceOfPieces } from "../../../src/files/formats/base/source.ts";
import { openFile } from "../../../src/files/formats/convert.ts";
import { roundsOf } from "../../support/rounds.ts";
import { startFiles } from "../file/reader.ts";
import { answering, RUNS, schedules } from "./any-order.ts";

const { upload, eachRow, load } = await startFiles();
const duck = await (await DuckDBInstance.create()).connect();
const folder = mkdtempSync(path.join(tmpdir(), "samespot-sizes-"));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Random digits keep a packed file about half as large as its text. Those of other rows are too far away to be found again. With
 * rows of a kilobyte a large file has few, so that the comparison of their cells takes no longer than the reading.
 */
const STRIDES = Array.from({ length: 28 }, (_, at) => at * 10_000);

const rowAt = (at: number) => ({
  id: at,
  name: `Café "${md5(at)}", Süd`,
  address: `${at} Main St; Floor 2${at % 11 === 0 ? "\nBack entrance" : ""}`,
  phone: at % 7 === 0 ? null : `+1 401 555 ${at}`,
  notes: STRIDES.map((stride) => md5(at + stride)).join(" "),
  lat: (41_000_001 + (at % 400_000)) / 1e6,
  lng: -71.5,
});
const hashes: string[] = [];
const md5 = (number: number) => (hashes[number] ??= createHash("md5").update(String(number)).digest("hex"));
type Column = keyof ReturnType<typeof rowAt>;
const COLUMNS = Object.keys(rowAt(0)) as Column[];

/** The same in the words of DuckDB. */
const VALUES: Record<Column, string> = {
  id: "i",
  name: `'Café "' || md5(i::text) || '", Süd'`,
  address: `i || ' Main St; Floor 2' || CASE WHEN i % 11 = 0 THEN chr(10) || 'Back entrance' ELSE '' END`,
  phone: `CASE WHEN i % 7 = 0 THEN NULL ELSE '+1 401 555 ' || i END`,
  notes: STRIDES.map((stride) => `md5((i + ${stride})::text)`).join(" || ' ' || "),
  lat: "round((41000001 + i % 400000) / 1e6, 6)",
  lng: "-71.5::double",
};
const FLAT = COLUMNS.map((name) => `${VALUES[name]} AS ${name}`).join(", ");
const { lat, lng, ...OTHERS } = VALUES;
const FEATURE = `'Feature' AS "type", {${Object.entries(OTHERS).map(([name, value]) => `${name}: ${value}`)}} AS properties,
  {"type": 'Point', coordinates: [${lng}, ${lat}]} AS geometry`;

/** Writes so many rows to a file. */
type Writer = (file: string, rows: number) => Promise<unknown>;

const byDuck =
  (how: string, columns = FLAT): Writer =>
  (file, rows) =>
    duck.run(`COPY (SELECT ${columns} FROM range(${rows}) r(i)) TO '${file}' (${how})`);

const byDuckThen =
  (how: string, pack: (content: Buffer) => Buffer, columns = FLAT): Writer =>
  async (file, rows) => {
    await byDuck(how, columns)(file, rows);
    writeFileSync(file, pack(readFileSync(file)));
  };

/** Rows as lists, which need less memory. The types lack this option. */
const DENSE = { dense: true } as xlsx.AOA2SheetOpts;

const workbook =
  (how: { compression: boolean; bookSST: boolean }): Writer =>
  async (file, rows) => {
    const cells = Array.from({ length: rows }, (_, at) => Object.values(rowAt(at)));
    const book = xlsx.utils.book_new();
    xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([COLUMNS, ...cells], DENSE), "Places");
    writeFileSync(file, xlsx.write(book, { type: "buffer", bookType: "xlsx", ...how }));
  };

/** SheetJS has a writer of zip files of its own. */
const zipped = (compression: boolean) => (content: Buffer) => {
  const container = xlsx.CFB.utils.cfb_new();
  container.FileIndex.length = container.FullPaths.length = 1; // without the file that says who wrote it
  xlsx.CFB.utils.cfb_add(container, "/places.csv", content);
  return xlsx.CFB.write(container, { type: "buffer", fileType: "zip", compression }) as Buffer;
};

const CSV = "FORMAT csv, HEADER";
const collection = (features: Buffer) =>
  Buffer.concat([Buffer.from('{"type":"FeatureCollection","features":'), features, Buffer.from("}")]);

/** With the row groups of DuckDB, and of programs that write while they read. */
const parquet = (codec: string, group: number) =>
  byDuck(`FORMAT parquet, COMPRESSION ${codec}, ROW_GROUP_SIZE ${group}`);

const WRITERS: Record<string, Writer> = {
  CSV: byDuck(CSV),
  "CSV with semicolons, each cell in quotes": byDuck(`${CSV}, DELIMITER ';', FORCE_QUOTE *`),
  TSV: byDuck(`${CSV}, DELIMITER '\t'`),
  "CSV in gzip": byDuck(`${CSV}, COMPRESSION gzip`),
  "CSV in a zip file, stored": byDuckThen(CSV, zipped(false)),
  "CSV in a zip file, deflated": byDuckThen(CSV, zipped(true)),
  NDJSON: byDuck("FORMAT json"),
  JSON: byDuck("FORMAT json, ARRAY true"),
  GeoJSON: byDuckThen("FORMAT json, ARRAY true", collection, FEATURE),
  "Parquet, snappy": parquet("snappy", 122_880),
  "Parquet, zstd, small row groups": parquet("zstd", 10_000),
  "Parquet, gzip": parquet("gzip", 122_880),
  "Parquet, uncompressed": parquet("uncompressed", 50_000),
  "workbook, deflated, texts in one part": workbook({ compression: true, bookSST: true }),
  "workbook, deflated, texts in the cells": workbook({ compression: true, bookSST: false }),
  "workbook, stored, texts in one part": workbook({ compression: false, bookSST: true }),
  "workbook, stored, texts in the cells": workbook({ compression: false, bookSST: false }),
};

const KB = 1000;
/** One of each format, first those of which the reading process keeps the most in memory. Larger Parquet: apart.faults.test.ts. */
const FORMATS = [
  ...["GeoJSON", "workbook, deflated, texts in the cells", "Parquet, snappy"],
  ...["CSV in gzip", "CSV", "CSV in a zip file, deflated", "NDJSON", "JSON"],
];
const AT_LENGTH = roundsOf(8, 2);
const CASES = [
  { kB: 300, names: Object.keys(WRITERS) },
  // The first ones are read at the next size.
  { kB: 3000, names: roundsOf(1, 0) ? Object.keys(WRITERS) : FORMATS.slice(AT_LENGTH) },
  { kB: 30_000, names: FORMATS.slice(0, AT_LENGTH) },
].flatMap(({ kB, names }) => names.map((name) => ({ kB, name })));

test.each(CASES)("F75: every cell of $kB kB is read: $name", async ({ name, kB }) => {
  const { file, rows } = await writeAbout(name, kB * KB);
  const { id } = await upload(createReadStream(file));
  rmSync(file);
  const { header } = await load(id);
  expect(header.map(columnOf).toSorted()).toEqual(COLUMNS.toSorted());
  const wrong: unknown[] = [];
  let read = 0;
  for await (const { cells, problem } of eachRow(id)) {
    const row = rowAt(read);
    const expected = header.map((column) => String(row[columnOf(column)] ?? ""));
    const isWrong = problem !== undefined || cells.some((cell, column) => cell !== expected[column]);
    if (isWrong && wrong.length < 3) wrong.push({ cells, expected, problem });
    read += 1;
  }
  expect({ read, wrong }).toEqual({ read: rows, wrong: [] });
});

const SHAPES: Record<string, Column> = { "geometry.latitude": "lat", "geometry.longitude": "lng" };
const columnOf = (name: string) => SHAPES[name] ?? (name as Column);

const SAMPLE = 500;

async function writeAbout(name: string, size: number) {
  const file = path.join(folder, "places");
  const write = WRITERS[name] as Writer;
  await write(file, SAMPLE);
  const rows = Math.ceil((size / statSync(file).size) * SAMPLE);
  await write(file, rows);
  expect(statSync(file).size / size).toBeGreaterThan(0.6);
  return { file, rows };
}

test.each<{ name: string; kind: Packed; most: number }>([
  { name: "Parquet, zstd, small row groups", kind: "parquet", most: 1 },
  { name: "workbook, deflated, texts in one part", kind: "zip", most: 1 },
  { name: "CSV in a zip file, stored", kind: "zip", most: 2 },
  { name: "JSON", kind: "json", most: 1 },
])("F73: a file is read the same when answers come in any order: $name", async ({ name, kind, most }) => {
  const { file } = await writeAbout(name, 1500 * KB);
  const bytes = readFileSync(file);
  let waited = 0;
  const textOf = async (schedule: number[]) => {
    const { read, sendPiece, close } = answering(bytes, schedule);
    const how = {
      kind,
      size: bytes.length,
      encoding: "utf-8",
      sheet: undefined,
      mostColumns: 500,
      mostRows: 1e6,
    } as const;
    const hash = createHash("sha256");
    for await (const piece of (await openFile(sourceOfPieces(bytes.length, read), how)).bytes) {
      await sendPiece(piece);
      hash.update(piece);
    }
    waited = Math.max(waited, close());
    return hash.digest("hex");
  };
  const inOrder = await textOf([0]);
  const holds = fc.asyncProperty(schedules, async (schedule) => (await textOf(schedule)) === inOrder);
  await fc.assert(holds, RUNS);
  expect(waited).toBeGreaterThanOrEqual(most);
});
