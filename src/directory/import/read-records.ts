import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { CSV_PROBLEMS, readCsv } from "../../shared/csv/csv.ts";
import { givingWay } from "../../shared/csv/give-way.ts";
import { readLines } from "../../shared/csv/lines.ts";
import { decodeText } from "../../shared/csv/text.ts";
import { type Geometry, isGeometry, pointIn } from "../../shared/geometry.ts";
import { badRequest } from "./bad-request.ts";
import { canonicalNames } from "./column-names.ts";
import { readFeatures } from "./features.ts";
import { READ_FIELDS } from "./venue-row.ts";

/** `line` counts from 1 and includes the header; in GeoJSON it is the number of the feature. */
export interface SourceRecord {
  line: number;
  fields?: Record<string, unknown>;
  /** Columns or properties with a value that is not read, as the file calls them. */
  unused?: string[];
  problem?: string;
}

/** Returns what `line` of a SourceRecord counts, by the file's name. */
export const countedIn = (file: string): "line" | "feature" => (readerOf(file) === readGeoJson ? "feature" : "line");

const NEEDED = ["name", "lat", "lng"];

/**
 * The file name determines the format. `progress.share` returns the share read so far, 0 to 1. Throws KnownError for a
 * file that is missing, damaged, of another format, or lacks required columns.
 */
export async function* readRecords(file: string, progress = { share: () => 0 }): AsyncGenerator<SourceRecord> {
  const read = readerOf(file);
  if (!read)
    throw badRequest(
      "The file must end in .csv, .tsv, .ndjson, .jsonl, .geojson or .json, or in one of these followed by .gz.",
    );
  const { bytes, share } = await openFile(file);
  progress.share = share;
  let last = 0;
  try {
    for await (const record of read(bytes)) {
      last = record.line;
      yield record;
    }
  } catch (error) {
    const { code = "", message } = error as { code?: string; message: string };
    throw code.startsWith("Z_")
      ? badRequest(`${file} is damaged or cut off after ${countedIn(file)} ${last} (${message}).`)
      : error;
  }
}

const READERS: Record<string, (bytes: Readable) => AsyncGenerator<SourceRecord>> = {
  csv: (bytes) => readTable(bytes, ","),
  tsv: (bytes) => readTable(bytes, "\t"),
  ndjson: readNdjson,
  jsonl: readNdjson,
  geojson: readGeoJson,
  json: readGeoJson,
};

function readerOf(file: string) {
  const [, format = ""] = /\.(csv|tsv|ndjson|jsonl|geojson|json)(?:\.gz)?$/i.exec(file) ?? [];
  return READERS[format.toLowerCase()];
}

async function* readTable(bytes: Readable, delimiter: string): AsyncGenerator<SourceRecord> {
  let columns: string[] | undefined;
  let named: string[] = [];
  for await (const { line, cells, problem, isEnded } of readCsv(readLines(decodeText(bytes, "utf-8")), {
    separator: delimiter,
  })) {
    if (!columns) {
      named = cells ?? [];
      columns = header(named);
    } else if (!cells) yield { line, problem: problem ? CSV_PROBLEMS[problem]() : "" };
    else if (cells.length > columns.length)
      yield { line, problem: `has ${cells.length} cells, but the header ${columns.length}` };
    else if (cells.length < columns.length && !isEnded) yield { line, problem: "the file ends in the middle of it" };
    else {
      yield { line, ...fieldsOf(columns, named, cells) };
    }
  }
}

function header(cells: string[]): string[] {
  const columns = canonicalNames(cells);
  const missing = NEEDED.filter((name) => !columns.includes(name));
  if (missing.length === 0) return columns;
  const found = cells.join(", ").slice(0, 300);
  if (/[\0\uFFFD]/.test(found)) throw badRequest("The file must be text in UTF-8.");
  throw badRequest(`The header (line 1) lacks ${missing.join(", ")}. Its columns are: ${found}.`);
}

async function* readNdjson(bytes: Readable): AsyncGenerator<SourceRecord> {
  const giveWay = givingWay();
  for await (const batch of readLines(decodeText(bytes, "utf-8")))
    for (const { number, text, isTooLong } of batch) {
      if (isTooLong) throw badRequest(`Line ${number} is longer than a million characters.`);
      if (text.trim() === "") continue;
      await giveWay();
      yield { line: number, ...parsed(text) };
    }
}

async function* readGeoJson(bytes: Readable): AsyncGenerator<SourceRecord> {
  let line = 0;
  for await (const text of readFeatures(bytes)) {
    line += 1;
    if (text === undefined) yield { line, problem: "is longer than a million characters" };
    else yield { line, ...parsed(text) };
  }
}

type Read = Pick<SourceRecord, "fields" | "unused" | "problem">;

function parsed(text: string): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "is not valid JSON" };
  }
  return flatten(value);
}

const feature = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  properties: z.record(z.string(), z.unknown()).nullish(),
  geometry: z.custom<Geometry>(isGeometry),
});

/** A line or surface is a venue at a point of it. */
function flatten(value: unknown): Read {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem: "is not an object" };
  if (!("type" in value) || value.type !== "Feature") return renamed(value);
  const { data } = feature.safeParse(value);
  const point = data && pointIn(data.geometry);
  if (!point) return { problem: "is not a GeoJSON feature with a geometry" };
  const [lng, lat] = point;
  const { fields, unused } = renamed(data.properties ?? {});
  return { fields: { id: data.id, ...fields, lat, lng }, unused };
}

function renamed(value: object) {
  const names = Object.keys(value);
  return fieldsOf(canonicalNames(names), names, Object.values(value));
}

/** Of several of one name, the first with a value counts. */
function fieldsOf(columns: readonly string[], named: readonly string[], values: readonly unknown[]) {
  const fields: Record<string, unknown> = {};
  const unused: string[] = [];
  for (const [index, value] of values.entries()) {
    const name = columns[index] ?? "";
    if (isEmpty(value)) fields[name] ??= value;
    else if (READ_FIELDS.has(name) && isEmpty(fields[name])) fields[name] = value;
    else unused.push(named[index] ?? "");
  }
  return { fields, unused };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** Detects gzip by the first bytes, whatever the file's name. Throws KnownError if there is no such file. */
async function openFile(file: string): Promise<{ bytes: Readable; share: () => number }> {
  const info = await stat(file).catch(() => undefined);
  if (!info?.isFile()) throw badRequest(`The file ${file} does not exist or is not a regular file.`);
  const isZipped = await isGzip(file);
  const raw = createReadStream(file);
  const bytes = isZipped ? pipeline(raw, createGunzip(), () => {}) : raw; // errors reach the reader of `bytes`
  return { bytes, share: () => raw.bytesRead / Math.max(info.size, 1) };
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}
