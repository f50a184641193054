import * as zlib from "node:zlib";
import {
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  snappyUncompress,
} from "hyparquet";
import { KnownError } from "../../shared/errors.ts";
import { MOST_CHUNK, MOST_FOOTER, MOST_PAGE, tooMuch } from "./base/limits.ts";
import { unusableFile } from "./base/refusal.ts";
import type { Table } from "./base/rows.ts";
import { type Source, slice } from "./base/source.ts";
import { toDegrees } from "./crs.ts";
import { type Fields, fieldsOf, isRounded } from "./fields.ts";
import { type FieldRecord, tableOf } from "./records.ts";

const MB = 1024 * 1024;
/** What is decoded at once, of all columns. */
const [WINDOW_BYTES, WINDOW_ROWS] = [8 * MB, 20_000];

/** Reads Parquet and GeoParquet. Throws KnownError 400 for a damaged file, 413 for one that needs too much memory. */
export async function readParquet(source: Source, mostColumns: number): Promise<Table> {
  const file = {
    byteLength: source.size,
    async slice(start: number, end = source.size): Promise<ArrayBuffer> {
      if (!(start >= 0 && start <= end && end <= source.size)) throw damaged();
      if (end - start > MOST_CHUNK) throw tooLarge();
      return Uint8Array.from(await slice(source, start, end)).buffer;
    },
  };
  await checkFooter(source);
  const metadata = await unlessDamaged(() => parquetMetadataAsync(file));
  const tidy = await unlessDamaged(async () => tidying(metadata));
  async function* read(): AsyncGenerator<FieldRecord[]> {
    let line = 0;
    for (const [rowStart, rowEnd] of windows(metadata)) {
      const rows = await unlessDamaged(() =>
        parquetReadObjects({ file, metadata, compressors: COMPRESSORS, rowStart, rowEnd, useOffsetIndex: true }),
      );
      yield rows.map((row) => {
        line += 1;
        return { line, fields: tidy(row) };
      });
    }
  }
  return { format: { kind: "parquet", hasHeader: true }, rows: await tableOf(read, mostColumns) };
}

/** Writes decimals with their own places, because they come with the noise of binary fractions, and geometries in degrees. */
function tidying({ schema, ...metadata }: FileMetaData): (row: Record<string, unknown>) => Fields {
  const { children } = parquetSchema({ schema, ...metadata });
  const decimals = children.flatMap(({ element: { name, converted_type, scale = 0 } }) =>
    converted_type === "DECIMAL" && scale >= 0 && scale <= MOST_PLACES ? [{ name, scale }] : [],
  );
  const shapes = children.flatMap(({ element: { name, logical_type: type } }) => {
    const put = type?.type === "GEOMETRY" || type?.type === "GEOGRAPHY" ? toDegrees(type.crs) : undefined;
    return put ? [{ name, put }] : [];
  });
  return (row) => {
    for (const { name, scale } of decimals)
      if (typeof row[name] === "number" && !isRounded(row[name])) row[name] = Number(row[name].toFixed(scale));
    const fields = fieldsOf(row);
    for (const { name, put } of shapes) put(fields, name);
    return fields;
  };
}

/** Of a decimal, by Parquet's own limit on its digits. */
const MOST_PLACES = 76;

async function checkFooter({ size, ...source }: Source): Promise<void> {
  const end = await slice({ size, ...source }, Math.max(size - 8, 0), size);
  const magic = end.toString("latin1", 4);
  if (magic === "PARE") throw unusableFile("This Parquet file is encrypted. Write it without encryption.");
  if (magic !== "PAR1" || end.readUInt32LE(0) > size) throw damaged();
  if (end.readUInt32LE(0) > MOST_FOOTER) throw tooLarge();
}

function* windows({ row_groups }: FileMetaData): Generator<[start: number, end: number]> {
  let start = 0;
  for (const { num_rows, columns } of row_groups) {
    const rows = Number(num_rows);
    const sizes = columns.map(({ meta_data }) => Number(meta_data?.total_uncompressed_size ?? 0));
    if (sizes.some((size) => size > 4 * MOST_CHUNK)) throw tooLarge();
    const bytes = sizes.reduce((sum, size) => sum + size, 1);
    const step = Math.min(Math.max(Math.floor((rows * WINDOW_BYTES) / bytes), 1), WINDOW_ROWS);
    for (let at = 0; at < rows; at += step) yield [start + at, start + Math.min(at + step, rows)];
    start += rows;
  }
}

/** Each refuses to unpack more than a page may have, whatever the file says. */
const unpacking =
  (unpack: (bytes: Uint8Array, maxOutputLength: number) => Uint8Array) =>
  (bytes: Uint8Array, size: number): Uint8Array => {
    if (!(size >= 0 && size <= MOST_PAGE)) throw tooLarge();
    return unpack(bytes, size);
  };

const COMPRESSORS: Compressors = {
  SNAPPY: unpacking((bytes, size) => {
    const page = new Uint8Array(size);
    snappyUncompress(bytes, page);
    return page;
  }),
  GZIP: unpacking((bytes, size) => zlib.gunzipSync(bytes, most(size))),
  BROTLI: unpacking((bytes, size) => zlib.brotliDecompressSync(bytes, most(size))),
  ZSTD: unpacking((bytes, size) => zlib.zstdDecompressSync(bytes, most(size))),
};

const most = (size: number) => ({ maxOutputLength: Math.max(size, 1) });

async function unlessDamaged<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof KnownError) throw error;
    const [, codec] = /unsupported compression codec: (\w+)/.exec(String(error)) ?? [];
    throw codec
      ? unusableFile(`This Parquet file is compressed with ${codec}. Write it with snappy, gzip or zstd.`)
      : damaged();
  }
}

const damaged = () =>
  unusableFile("This Parquet file is damaged or incomplete. Write it again, or save the list as CSV.");
const tooLarge = () =>
  tooMuch(
    "This Parquet file has parts that are too large to be read. Write it with smaller row groups, such as 100,000 rows.",
  );
