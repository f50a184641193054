import { type FileHandle, open, stat } from "node:fs/promises";
import type { CsvRecord } from "../../shared/csv/csv.ts";
import type { Encoding } from "../../shared/csv/text.ts";
import { badRequest } from "../../shared/errors.ts";
import { FILE_LIMITS } from "../../shared/file-limits.ts";
import { encodingWatch, refuseOtherFiles } from "../encoding/encoding.ts";
import { type FileFormat, isEscapedBy, type Quotes } from "../format.ts";
import type { Packed } from "../formats/apart.ts";
import { atMost, checkNesting } from "../formats/base/limits.ts";
import type { Table, TableRow } from "../formats/base/rows.ts";
import { type Source, slice, sourceOfPieces } from "../formats/base/source.ts";
import { openPacked } from "../formats/convert.ts";
import { kindOf } from "../formats/kinds.ts";
import { type Row, readRows, toRow } from "../formats/table.ts";
import { gunzip } from "../formats/unpack.ts";
import { beginOf, guessLayout, type Layout, LOOKED_AT, layoutOf } from "../guess/guess.ts";

/** A file of this machine as rows. */
export interface OpenTable extends Layout {
  /** Below the header. May be called once. */
  rows: () => AsyncGenerator<Row>;
  /** What `line` of a row counts. */
  counts: "line" | "row" | "record" | "feature";
  /** The share read so far, 0 to 1. */
  share: () => number;
  close: () => Promise<void>;
}

/** What is known of the file; the rest is guessed. */
export interface Given {
  encoding?: Encoding | undefined;
  separator?: FileFormat["separator"] | undefined;
  quotes?: Quotes | undefined;
  sheet?: string | undefined;
}

/** Bytes from which the layout of a text is guessed. */
const GUESSED_FROM = 1280 * 1024;
const BEGIN = 4096;

/**
 * Opens a file in any format, also as gzip or zip. It may have any size, as it is read in pieces, several times: for its
 * encoding, for the names of its fields, for its rows.
 * @throws KnownError 400 if there is no such file, or it cannot be read
 */
export async function openTable(name: string, given: Given = {}): Promise<OpenTable> {
  const info = await stat(name).catch(() => undefined);
  if (!info?.isFile()) throw badRequest(`The file ${name} does not exist or is not a regular file.`);
  const handle = await open(name);
  const close = () => handle.close();
  try {
    const { source, share } = watchedSource(handle, info.size);
    return { ...(await tableIn(source, given)), share, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function watchedSource(handle: FileHandle, size: number) {
  let at = 0;
  const source = sourceOfPieces(size, async (start, end) => {
    const bytes = Buffer.allocUnsafe(end - start);
    const { bytesRead } = await handle.read(bytes, 0, end - start, start);
    at = end;
    return bytes.subarray(0, bytesRead);
  });
  return { source, share: () => at / Math.max(size, 1) };
}

type Opened = Omit<OpenTable, "share" | "close">;

async function tableIn(source: Source, given: Given, depth = 0): Promise<Opened> {
  checkNesting(depth);
  const begin = await slice(source, 0, BEGIN);
  const kind = kindOf(begin);
  if (!kind) {
    refuseOtherFiles(begin);
    return textIn(source, given);
  }
  const inner = (bytes: () => AsyncIterable<Buffer>) => tableIn(streamed(bytes), given, depth + 1);
  if (kind === "gzip") return inner(() => gunzip(source.bytes(), Infinity));
  const isText = kind === "json";
  const { encoding, size } = isText ? await measured(source, given.encoding) : { encoding: "utf-8" as const, size: 0 };
  const work = { kind, encoding, sheet: given.sheet, mostColumns: FILE_LIMITS.columns, mostRows: Infinity };
  const found = await openPacked(isText ? { ...source, size } : await anywhere(source), work);
  return "inside" in found ? inner(found.inside) : rowsIn(found, kind, encoding);
}

/** Bytes that can only be read from the beginning, as those that are unpacked. Their size is not known. */
const streamed = (open: () => AsyncIterable<Buffer>): Source => ({
  size: Infinity,
  async *bytes(from = 0, to = Infinity) {
    let at = 0;
    for await (const piece of open()) {
      const wanted = piece.subarray(Math.max(from - at, 0), Math.max(to - at, 0));
      if (wanted.length > 0) yield wanted;
      at += piece.length;
      if (at >= to) return;
    }
  },
});

/** Workbooks and Parquet are read in any order, so one that is packed is unpacked into memory. */
async function anywhere(source: Source): Promise<Source> {
  if (source.size !== Infinity) return source;
  const all: Buffer[] = [];
  for await (const piece of atMost(source.bytes())) all.push(piece);
  const whole = Buffer.concat(all);
  return sourceOfPieces(whole.length, async (start, end) => whole.subarray(start, end));
}

/** The encoding shows only in all bytes. */
async function measured(source: Source, given: Encoding | undefined): Promise<{ encoding: Encoding; size: number }> {
  if (given && source.size !== Infinity) return { encoding: given, size: source.size };
  const watch = encodingWatch();
  let size = 0;
  for await (const piece of source.bytes()) {
    size += piece.length;
    if (!given) watch.see(piece);
  }
  return { encoding: given ?? (await watch.encoding()), size };
}

async function textIn(source: Source, given: Given): Promise<Opened> {
  const { encoding, size } = await measured(source, given.encoding);
  const begin = await slice(source, 0, GUESSED_FROM);
  const isEscaped = isEscapedBy(given.quotes);
  const layout = await guessLayout(begin, {
    encoding,
    isWhole: begin.length === size,
    mostColumns: FILE_LIMITS.columns,
    ...(given.separator && { separator: given.separator }),
    ...(isEscaped !== undefined && { isEscaped }),
  });
  return { ...layout, rows: () => readRows(source.bytes(), layout.format, layout.header), counts: "line" };
}

const COUNTS: Record<Packed, OpenTable["counts"]> = { json: "record", zip: "row", parquet: "row", map: "record" };

/** The first rows stay in memory; the layout is guessed of them. */
async function rowsIn({ format, rows, isLines }: Table, kind: Packed, encoding: Encoding): Promise<Opened> {
  const all = rows[Symbol.asyncIterator]();
  const first: TableRow[] = [];
  let next = await all.next();
  let isWhole = false;
  for (; !next.done && first.length < LOOKED_AT.records; next = await all.next()) first.push(next.value);
  if (next.done) isWhole = true;
  else first.push(next.value);
  const records = first.map((row) => beginOf(recordOf(row), FILE_LIMITS.columns));
  const layout = await layoutOf(records, {
    ...format,
    encoding,
    separator: ",",
    isWhole,
    mostColumns: FILE_LIMITS.columns,
  });
  const { header, format: read } = layout;
  const from = (read.headerLine ?? (read.hasHeader ? first[0]?.line : undefined) ?? -1) + 1;
  async function* listed(): AsyncGenerator<Row> {
    for (const row of first) if (row.line >= from) yield toRow(recordOf(row), header);
    for (let more = await all.next(); !more.done; more = await all.next()) yield toRow(recordOf(more.value), header);
  }
  return { ...layout, rows: listed, counts: isLines ? "line" : format.kind === "geojson" ? "feature" : COUNTS[kind] };
}

const recordOf = ({ line, cells, problem }: TableRow): CsvRecord =>
  problem ? { line, problem, text: cells[0] ?? "", isEnded: true } : { line, cells, isEnded: true };
