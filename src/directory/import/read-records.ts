import { createReadStream } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createGunzip, gunzipSync } from "node:zlib";
import { parse } from "csv-parse";
import { z } from "zod";
import { KnownError } from "../../errors.ts";

/** One venue of a file as it stands there, or why its line cannot be read. `line` counts from 1, the header included. */
export interface SourceRecord {
  line: number;
  fields?: Record<string, unknown>;
  problem?: string;
}

const MEGABYTE = 1024 * 1024;
const LARGEST_GEOJSON = 256 * MEGABYTE;

/**
 * Reads a CSV (with a header), NDJSON or GeoJSON file, gzipped or not, told apart by its name. CSV and NDJSON are
 * streamed; a GeoJSON is one value and must fit into memory.
 *
 * @throws KnownError for a file that is missing, of another kind, or too large
 */
export async function* readRecords(file: string): AsyncGenerator<SourceRecord> {
  const { size } = await stat(file).catch(() => {
    throw new KnownError(400, "param_error", `There is no file ${file} that can be read.`);
  });
  const format = file.toLowerCase().replace(/\.gz$/, "");
  if (/\.(csv|tsv)$/.test(format)) yield* readCsv(await openText(file), format.endsWith("tsv") ? "\t" : ",");
  else if (/\.(ndjson|jsonl)$/.test(format)) yield* readNdjson(await openText(file));
  else if (/\.(geo)?json$/.test(format)) yield* readGeoJson(file, size);
  else
    throw new KnownError(400, "param_error", "The file must end in .csv, .tsv, .ndjson, .jsonl or .geojson (or .gz).");
}

async function openText(file: string): Promise<Readable> {
  const raw = createReadStream(file);
  return (await isGzipped(file)) ? raw.pipe(createGunzip()).on("error", (error) => raw.destroy(error)) : raw;
}

async function isGzipped(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

async function* readCsv(text: Readable, delimiter: string): AsyncGenerator<SourceRecord> {
  const unreadable: SourceRecord[] = [];
  const rows = text.pipe(
    parse({
      delimiter,
      bom: true,
      columns: (header: string[]) => header.map((name) => name.trim()),
      info: true,
      max_record_size: MEGABYTE,
      relax_column_count_less: true,
      skip_empty_lines: true,
      skip_records_with_error: true,
      on_skip: (error) => void unreadable.push({ line: Number(error?.lines ?? 0), problem: error?.message ?? "" }),
    }),
  );
  text.on("error", (error) => rows.destroy(error));
  for await (const { record, info } of rows) {
    yield* unreadable.splice(0);
    yield { line: info.lines, fields: record };
  }
  yield* unreadable;
}

async function* readNdjson(text: Readable): AsyncGenerator<SourceRecord> {
  let line = 0;
  for await (const row of createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    if (row.trim() === "") continue;
    try {
      yield { line, ...flatten(JSON.parse(row)) };
    } catch {
      yield { line, problem: "is not valid JSON" };
    }
  }
}

async function* readGeoJson(file: string, size: number): AsyncGenerator<SourceRecord> {
  if (size > LARGEST_GEOJSON) {
    throw new KnownError(
      400,
      "param_error",
      "A GeoJSON file may have 256 MB; give a larger one as NDJSON, a line a feature.",
    );
  }
  const bytes = await readFile(file);
  const collection = JSON.parse(((await isGzipped(file)) ? gunzipSync(bytes) : bytes).toString("utf8"));
  if (!Array.isArray(collection?.features)) {
    throw new KnownError(400, "param_error", "The file holds no GeoJSON FeatureCollection.");
  }
  for (const [index, each] of collection.features.entries()) yield { line: index + 1, ...flatten(each) };
}

const feature = z.object({
  type: z.literal("Feature"),
  id: z.union([z.string(), z.number()]).optional(),
  properties: z.record(z.string(), z.unknown()).nullish(),
  geometry: z.object({ type: z.literal("Point"), coordinates: z.array(z.number()).min(2) }),
});

/** A GeoJSON point feature becomes its properties with lat and lng; any other object is taken as it is. */
function flatten(value: unknown): { fields: Record<string, unknown> } | { problem: string } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem: "is not an object" };
  if (!("type" in value) || value.type !== "Feature") return { fields: { ...value } };
  const { data } = feature.safeParse(value);
  if (!data) return { problem: "is no GeoJSON feature with a point" };
  const [lng, lat] = data.geometry.coordinates;
  return { fields: { id: data.id, ...data.properties, lat, lng } };
}
