import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { readCsv } from "../../shared/csv/csv.ts";
import { givingWay } from "../../shared/csv/give-way.ts";
import { readLines } from "../../shared/csv/lines.ts";
import { decodeText } from "../../shared/csv/text.ts";
import { badRequest } from "./bad-request.ts";
import { canonicalNames } from "./column-names.ts";
import { readFeatures } from "./features.ts";

/**
 * One venue of a file as it stands there, its columns by our names, or why it cannot be read. `line` counts from 1, the
 * header included; in a GeoJSON it is the number of the feature.
 */
export interface SourceRecord {
  line: number;
  fields?: Record<string, unknown>;
  problem?: string;
}

const NEEDED = ["name", "lat", "lng"];

/**
 * Reads a CSV or TSV (with a header), NDJSON or GeoJSON file, gzipped or not, told apart by its name and read as a
 * stream. `progress.share` tells meanwhile how much has been read, 0 to 1.
 *
 * @throws KnownError for a file that is missing, of another kind, without the needed columns or damaged
 */
export async function* readRecords(file: string, progress = { share: () => 0 }): AsyncGenerator<SourceRecord> {
  const [, format] = /\.(csv|tsv|ndjson|jsonl|geojson|json)(?:\.gz)?$/i.exec(file) ?? [];
  const read = READERS[format?.toLowerCase() ?? ""];
  if (!read)
    throw badRequest("The file must end in .csv, .tsv, .ndjson, .jsonl, .geojson or .json, or one of them and .gz.");
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
    throw code.startsWith("Z_") ? badRequest(`${file} is damaged or cut off after line ${last} (${message}).`) : error;
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

async function* readTable(bytes: Readable, delimiter: string): AsyncGenerator<SourceRecord> {
  let columns: string[] | undefined;
  for await (const { line, cells, problem, isEnded } of readCsv(readLines(decodeText(bytes, "utf-8")), delimiter)) {
    if (!columns) columns = header(cells ?? []);
    else if (!cells) yield { line, problem: problem ?? "" };
    else if (cells.length > columns.length)
      yield { line, problem: `has ${cells.length} cells, but the header ${columns.length}` };
    else if (cells.length < columns.length && !isEnded) yield { line, problem: "the file ends in the middle of it" };
    else {
      const fields: Record<string, string> = {};
      for (const [index, cell] of cells.entries()) fields[columns[index] ?? ""] ||= cell;
      yield { line, fields };
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

/** The columns of a JSON text. */
function parsed(text: string): { fields: Record<string, unknown> } | { problem: string } {
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
  geometry: z.object({ type: z.literal("Point"), coordinates: z.array(z.number()).min(2) }),
});

/** A GeoJSON point feature becomes its properties with lat and lng; any other object is taken as it is. */
function flatten(value: unknown): { fields: Record<string, unknown> } | { problem: string } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem: "is not an object" };
  if (!("type" in value) || value.type !== "Feature") return { fields: renamed(value) };
  const { data } = feature.safeParse(value);
  if (!data) return { problem: "is no GeoJSON feature with a point" };
  const [lng, lat] = data.geometry.coordinates;
  return { fields: { id: data.id, ...renamed(data.properties ?? {}), lat, lng } };
}

function renamed(value: object): Record<string, unknown> {
  const names = canonicalNames(Object.keys(value));
  const fields: Record<string, unknown> = {};
  for (const [index, each] of Object.values(value).entries()) fields[names[index] ?? ""] ??= each;
  return fields;
}

/**
 * Opens a file for reading, unzipped where it is gzip by its first bytes, whatever its name. `share` tells how much of
 * it has been read, 0 to 1.
 *
 * @throws KnownError when there is no such file
 */
async function openFile(file: string): Promise<{ bytes: Readable; share: () => number }> {
  const info = await stat(file).catch(() => undefined);
  if (!info?.isFile()) throw badRequest(`There is no file ${file} that can be read.`);
  const isZipped = await isGzip(file);
  const raw = createReadStream(file);
  const bytes = isZipped ? pipeline(raw, createGunzip(), () => {}) : raw; // errors come to who reads `bytes`
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
