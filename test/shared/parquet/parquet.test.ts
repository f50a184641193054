import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBatches } from "../../../src/shared/parquet/batches.ts";
import { type ParquetLimits, readFooter } from "../../../src/shared/parquet/footer.ts";
import { openParquet } from "../../../src/shared/parquet/parquet.ts";
import { recordsOf } from "../../../src/shared/parquet/records.ts";
import { CODECS, hostileFile, page } from "./hostile.ts";

const MB = 1024 * 1024;
const LIMITS: ParquetLimits = {
  footer: 8 * MB,
  rows: 1e6,
  page: 16 * MB,
  held: 64 * MB,
  kept: 64 * MB,
  batch: 24 * MB,
};
const folder = mkdtempSync(path.join(tmpdir(), "parquet-"));
let database: DuckDBConnection;
beforeAll(async () => {
  database = await (await DuckDBInstance.create(":memory:")).connect();
});
afterAll(() => {
  database.closeSync();
  rmSync(folder, { recursive: true });
});

let files = 0;
async function written(select: string, options = ""): Promise<string> {
  const file = path.join(folder, `${files++}.parquet`);
  await database.run(`COPY (${select}) TO '${file}' (FORMAT parquet ${options && `, ${options}`})`);
  return file;
}

async function rowsOf(bytes: Buffer, mostRows = 700): Promise<unknown[]> {
  const source = { size: bytes.length, read: async (start: number, end: number) => bytes.subarray(start, end) };
  const footer = await readFooter(source, LIMITS);
  const toRecords = recordsOf(footer);
  const rows: unknown[] = [];
  for (const group of footer.groups)
    for await (const batch of readBatches(group, group.chunks, { source, limits: LIMITS, keepsBytes: false, mostRows }))
      rows.push(...toRecords(batch.rows, batch.entries));
  return rows;
}

/** hyparquet says nothing at all of what is missing, where we say null. */
const comparable = (value: unknown): unknown => {
  if (value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, comparable(each)]));
};

const bufferOf = (bytes: Buffer) => ({
  byteLength: bytes.length,
  slice: (start: number, end?: number) => Uint8Array.from(bytes.subarray(start, end)).buffer,
});
const encodingsOf = (bytes: Buffer) =>
  new Set(
    parquetMetadata(Uint8Array.from(bytes)).row_groups.flatMap(({ columns }) =>
      columns.flatMap(({ meta_data }) => meta_data?.encodings ?? []),
    ),
  );

/** Values of every type that a list may have, with gaps, and with few and many different ones. */
const TYPES = `SELECT
  i::tinyint % 100 AS a, CASE WHEN i % 3 > 0 THEN i::int * 7919 END AS b, (i * 1234567891011)::bigint AS c, i::utinyint % 100 AS d,
  (4294967295 - i)::uinteger AS e, (18446744073709551615 - i::ubigint)::ubigint AS f, i / 7::double AS g, (i / 3)::float AS h, i % 5 = 0 AS i,
  CASE WHEN i % 4 > 0 THEN 'text ' || (i % 17) END AS j, md5(i::text) || 'ü€😀' AS k, NULL::varchar AS l, ('\\x' || lpad(to_hex(i % 256), 2, '0'))::blob AS m,
  DATE '2020-02-29' + i::int AS n, TIMESTAMP '1969-12-31 23:59:59.5' + i * INTERVAL 7 HOUR AS o, TIMESTAMPTZ '2020-01-01' + i * INTERVAL 1 MINUTE AS p,
  (i / 100)::decimal(4, 2) AS q, (i * 1234567)::decimal(18, 3) AS r, -i::decimal(38, 5) AS s, md5(i::text)::uuid AS t, TIME '01:02:03' AS u,
  (TIMESTAMP '2020-01-01' + i * INTERVAL 1 SECOND)::timestamp_ns AS v, (TIMESTAMP '2020-01-01' + i * INTERVAL 1 SECOND)::timestamp_ms AS w,
  ['small', 'large', NULL][1 + i % 3]::enum('small', 'large') AS x, -i AS y
  FROM range(2100) t(i)`
  .replaceAll("i::tinyint % 100", "(i % 100)::tinyint")
  .replaceAll("i::utinyint % 100", "(i % 100)::utinyint");

const NESTED = `SELECT i AS n,
  CASE WHEN i % 5 > 0 THEN [x::int for x in range(i % 4)] END AS a,
  [{'b': i, 'c': CASE WHEN i % 3 > 0 THEN 'x' || i END, 'd': [y::text for y in range(i % 3)]}] AS e,
  CASE WHEN i % 6 > 0 THEN {'f': {'g': i % 7 = 0, 'h': NULL::int}} END AS j,
  map_from_entries([('k' || z, z) for z in range(i % 3)]) AS k,
  [[i, NULL], NULL, []] AS l, CASE WHEN i % 2 > 0 THEN {'m': [{'n': NULL::int}]} END AS o
  FROM range(2500) t(i)`;

/** Brotli packs for seconds. */
const FEW = `SELECT b, j, k FROM (${TYPES})`;

describe("files of DuckDB are read as hyparquet reads plain ones:", () => {
  // Pages of version 2 have their levels apart, whatever packs them.
  test.each([
    ["uncompressed", "V1", [TYPES, NESTED]],
    ["uncompressed", "V2", [TYPES, NESTED]],
    ["snappy", "V1", [NESTED]],
    ["snappy", "V2", [TYPES]],
    ["gzip", "V1", [FEW]],
    ["zstd", "V2", [NESTED]],
    ["brotli", "V1", [FEW]],
    ["lz4_raw", "V2", [FEW]],
  ])("%s, pages of %s", async (codec, version, selects) => {
    for (const select of selects) {
      const more = `PARQUET_VERSION ${version}, COMPRESSION ${codec}, ROW_GROUP_SIZE 2048`;
      const expected = await expectedOf(select);
      const rows = await rowsOf(readFileSync(await written(select, more)));
      // A difference of one row is worth showing, not of thousands.
      const wrong = rows.findIndex((row, at) => !isDeepStrictEqual(comparable(row), expected[at]));
      expect(comparable(rows[wrong])).toEqual(comparable(expected[wrong]));
      expect(rows).toHaveLength(expected.length);
    }
  });

  const known = new Map<string, Promise<unknown[]>>();
  function expectedOf(select: string): Promise<unknown[]> {
    const read = async () => {
      const plain = await written(select, "COMPRESSION uncompressed");
      return (await parquetReadObjects({ file: bufferOf(readFileSync(plain)) })).map(comparable);
    };
    const expected = known.get(select) ?? read();
    known.set(select, expected);
    return expected;
  }
});

test("LZ4 is read as Hadoop frames it, in any number of frames and blocks, and without a frame", async () => {
  const [first, second] = [Buffer.from([1, 0, 0, 0, 2, 0, 0, 0]), Buffer.from([3, 0, 0, 0])];
  const block = (...bytes: Buffer[]) => {
    const all = Buffer.concat(bytes);
    return Buffer.concat([Buffer.from([all.length << 4]), all]);
  };
  const sized = (size: number, ...bytes: Buffer[]) => {
    const own = Buffer.alloc(4);
    own.writeUInt32BE(size);
    return Buffer.concat([own, ...bytes]);
  };
  const packed = (bytes: Buffer) => sized(bytes.length, bytes);
  const ways = {
    "no frame": block(first, second),
    "one frame": sized(12, packed(block(first, second))),
    "two frames": Buffer.concat([sized(8, packed(block(first))), sized(4, packed(block(second)))]),
    "two blocks": sized(12, packed(block(first)), packed(block(second))),
  };
  const read = await Promise.all(
    Object.values(ways).map((bytes) => {
      const pages = page({ values: 3, bytes, unpacked: 12 });
      return rowsOf(hostileFile({ rows: 3, columns: [{ codec: CODECS.lz4, pages }] }));
    }),
  );
  for (const rows of read) expect(rows).toEqual([{ c0: 1 }, { c0: 2 }, { c0: 3 }]);
});

describe("every encoding is read:", () => {
  const texts = Array.from({ length: 3000 }, (_, at) => `${at % 9 === 0 ? "" : "place "}${at * at}`);
  test.each([
    ["PLAIN", "STRING", texts],
    ["RLE_DICTIONARY", "STRING", texts.map((_, at) => `few ${at % 300}`)],
    ["DELTA_LENGTH_BYTE_ARRAY", "STRING", texts],
    ["DELTA_BYTE_ARRAY", "STRING", texts],
    ["DELTA_BINARY_PACKED", "INT32", texts.map((_, at) => (((at * 2654435761) | 0) * (at % 2 ? 1 : -1)) | 0)],
    ["DELTA_BINARY_PACKED", "INT64", texts.map((_, at) => BigInt.asIntN(64, BigInt(at) ** 6n * 123456789n))],
    ["BYTE_STREAM_SPLIT", "DOUBLE", texts.map((_, at) => at / 7)],
    ["BYTE_STREAM_SPLIT", "FLOAT", texts.map((_, at) => at / 8)],
    ["BYTE_STREAM_SPLIT", "INT32", texts.map((_, at) => at - 1500)],
    ["RLE", "BOOLEAN", texts.map((_, at) => at % 7 === 0)],
    ["PLAIN", "BOOLEAN", texts.map((_, at) => at % 7 === 0)],
  ] as const)("%s of %s", async (encoding, type, all) => {
    const data = [...all].map((value, at) => (at % 10 === 3 ? null : value));
    const column = { name: "a", type, encoding, data, nullable: true };
    const bytes = Buffer.from(parquetWriteBuffer({ columnData: [column], pageSize: 5000 }));
    expect(encodingsOf(bytes)).toContain(encoding);
    expect(await rowsOf(bytes)).toEqual(data.map((value) => ({ a: value })));
  });
});

test("rows that are read a few at a time, and all at once, are the same", async () => {
  const bytes = readFileSync(await written(NESTED, "ROW_GROUP_SIZE 2048"));
  const expected = await rowsOf(bytes, 1e6);
  for (const most of [7, 299, 2048]) expect(isDeepStrictEqual(await rowsOf(bytes, most), expected)).toBe(true);
});

test("columns within others are named by their path, and lists give their first value or all", async () => {
  const { columns, rows, groups } = await openParquet(await written(NESTED, "ROW_GROUP_SIZE 2048"));
  const names = ["n", "a", "a[]", "e.c", "j.f.g", "other"] as const;
  expect([columns.length, rows, groups.length]).toEqual([7, 2500, 2]);
  const all: unknown[][] = [];
  for (const group of groups)
    for await (const { rows: some, columns: read } of group.read(names))
      for (let at = 0; at < some; at++) all.push(names.map((name) => read[name]?.[at]));
  expect(all.slice(2, 7)).toEqual([
    [2n, 0, [0, 1], "x2", false, undefined],
    [3n, 0, [0, 1, 2], null, false, undefined],
    [4n, null, null, "x4", false, undefined],
    [5n, null, null, "x5", false, undefined],
    [6n, 0, [0, 1], null, null, undefined],
  ]);
  expect(all).toHaveLength(2500);
});

test("the bounds of a column are those of its group", async () => {
  const { groups } = await openParquet(
    await written(
      "SELECT i / 4 AS a, 'b' || (i % 9) AS b, {'c': i::float} AS d FROM range(3000) t(i)",
      "ROW_GROUP_SIZE 2048",
    ),
  );
  expect(groups.map((group) => ["a", "b", "d.c", "e"].map((name) => group.bounds(name)))).toEqual([
    [{ min: 0, max: 511.75 }, { min: "b0", max: "b8" }, { min: 0, max: 2047 }, undefined],
    [{ min: 512, max: 749.75 }, { min: "b0", max: "b8" }, { min: 2048, max: 2999 }, undefined],
  ]);
});
