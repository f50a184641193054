import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { z } from "zod";

const HEADER_BYTES = 127;
const MOST_BYTES = 16 * 1024 * 1024;
const REMEDY = "see docs/operations.md, A map of your own";
const OPENSTREETMAP = "© OpenStreetMap contributors";
/** Codes of the PMTiles specification, version 3. */
const VECTOR_TILES = 1;
const UNCOMPRESSED = 1;
const GZIP = 2;

class Unusable extends Error {}

/** A PMTiles file of vector streets. `id` is a hash of its size, header, directory and metadata; `credit` is text. */
export const pmtilesFile = z.string().transform((file, context) => {
  try {
    return describe(path.resolve(file));
  } catch (error) {
    const isOurs = error instanceof Unusable;
    const message = isOurs ? `${error.message}; ${REMEDY}` : `cannot be read: ${(error as Error).message}`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }
});

function describe(file: string) {
  const fd = openSync(file, "r");
  try {
    const { size, mtimeMs } = fstatSync(fd);
    const header = bytesAt(fd, 0, Math.min(HEADER_BYTES, size));
    const { root, metadata, internal, end } = readHeader(header);
    if (end > size) throw new Unusable("is cut off: copy it again");
    const directory = bytesAt(fd, root.offset, root.length);
    const described = bytesAt(fd, metadata.offset, metadata.length);
    const hash = createHash("sha256").update(`${size}`).update(header).update(directory).update(described);
    return {
      file,
      size,
      mtimeMs,
      id: hash.digest("hex").slice(0, 16),
      credit: creditOf(metadataIn(described, internal)),
    };
  } finally {
    closeSync(fd);
  }
}

function readHeader(header: Buffer) {
  if (header.length < HEADER_BYTES || header.toString("latin1", 0, 7) !== "PMTiles" || header[7] !== 3)
    throw new Unusable("is not a PMTiles file of version 3");
  const section = (at: number) => ({ offset: numberAt(header, at), length: numberAt(header, at + 8) });
  const root = section(8);
  const metadata = section(24);
  const leaves = section(40);
  const tiles = section(56);
  const internal = header[97];
  const compression = header[98];
  const type = header[99];
  if (type !== VECTOR_TILES) throw new Unusable("does not hold vector tiles (MVT)");
  for (const each of [internal, compression])
    if (each !== UNCOMPRESSED && each !== GZIP) throw new Unusable("is compressed otherwise than with gzip");
  return {
    root,
    metadata,
    internal,
    end: Math.max(...[root, metadata, leaves, tiles].map((s) => s.offset + s.length)),
  };
}

function numberAt(header: Buffer, at: number): number {
  const value = header.readBigUInt64LE(at);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new Unusable("has a damaged header");
  return Number(value);
}

function bytesAt(fd: number, offset: number, length: number): Buffer {
  if (length > MOST_BYTES) throw new Unusable("has a damaged header");
  const bytes = Buffer.alloc(length);
  if (readSync(fd, bytes, 0, length, offset) < length) throw new Unusable("is cut off: copy it again");
  return bytes;
}

function metadataIn(bytes: Buffer, compression: number | undefined): { attribution?: unknown } {
  let metadata: { attribution?: unknown; vector_layers?: unknown };
  try {
    const text = compression === GZIP ? gunzipSync(bytes, { maxOutputLength: MOST_BYTES }) : bytes;
    metadata = Object(JSON.parse(text.toString("utf8")));
  } catch {
    throw new Unusable("has damaged metadata");
  }
  const layers = [metadata.vector_layers].flat() as ({ id?: unknown } | undefined)[];
  if (!layers.some((layer) => layer?.id === "roads")) throw new Unusable("has no layer named roads");
  return metadata;
}

/** An attribution is HTML by the specification. */
function creditOf({ attribution }: { attribution?: unknown }): string {
  const text = typeof attribution === "string" ? attribution : "";
  const words = text
    .replace(/<[^>]*>/g, " ")
    .replace(/&copy;/g, "©")
    .replace(/&amp;/g, "&");
  return words.replace(/\s+/g, " ").trim().slice(0, 300) || OPENSTREETMAP;
}
