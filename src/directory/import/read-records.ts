import type { Readable } from "node:stream";
import { z } from "zod";
import { badRequest } from "./bad-request.ts";
import { canonicalName } from "./column-names.ts";
import { readCsv } from "./csv.ts";
import { readLines } from "./lines.ts";
import { openFile } from "./open-file.ts";

/**
 * One venue of a file as it stands there, its columns by our names, or why it cannot be read. `line` counts from 1, the
 * header included; in a GeoJSON it is the number of the feature.
 */
export interface SourceRecord {
  line: number;
  fields?: Record<string, unknown>;
  problem?: string;
}

/** Characters. */
const LARGEST_GEOJSON = 256 * 1024 * 1024;
const NEEDED = ["name", "lat", "lng"];

/**
 * Reads a CSV or TSV (with a header), NDJSON or GeoJSON file, gzipped or not, told apart by its name. All but GeoJSON,
 * which is one value, are streamed. `progress.share` tells meanwhile how much has been read, 0 to 1.
 *
 * @throws KnownError for a file that is missing, of another kind, without the needed columns, too large or damaged
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
  for await (const { line, cells, problem, isEnded } of readCsv(readLines(bytes), delimiter)) {
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
  const columns = cells.map(canonicalName);
  const missing = NEEDED.filter((name) => !columns.includes(name));
  if (missing.length === 0) return columns;
  const found = cells.join(", ").slice(0, 300);
  if (/[\0\uFFFD]/.test(found)) throw badRequest("The file must be text in UTF-8.");
  throw badRequest(`The header (line 1) lacks ${missing.join(", ")}. Its columns are: ${found}.`);
}

async function* readNdjson(bytes: Readable): AsyncGenerator<SourceRecord> {
  for await (const { number, text } of readLines(bytes)) {
    if (text.trim() === "") continue;
    const value = parseJson(text);
    yield { line: number, ...(value === undefined ? { problem: "is not valid JSON" } : flatten(value)) };
  }
}

async function* readGeoJson(bytes: Readable): AsyncGenerator<SourceRecord> {
  const chunks: string[] = [];
  let size = 0;
  for await (const chunk of bytes.setEncoding("utf8")) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > LARGEST_GEOJSON)
      throw badRequest("A GeoJSON may have 256 MB. Give a larger one as NDJSON: a feature a line.");
  }
  const parsed = collection.safeParse(parseJson(chunks.join("").replace(/^\uFEFF/, "")));
  if (!parsed.success)
    throw badRequest("The file is no GeoJSON FeatureCollection. A file with an object a line is named .ndjson.");
  for (const [index, each] of parsed.data.features.entries()) yield { line: index + 1, ...flatten(each) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const collection = z.object({ type: z.literal("FeatureCollection"), features: z.array(z.unknown()) });
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
  const fields: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) fields[canonicalName(name)] ??= each;
  return fields;
}
