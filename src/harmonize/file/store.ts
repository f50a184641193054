import { createHash } from "node:crypto";
import type { ClientBase } from "pg";
import { encodingWatch, refuseOtherFiles } from "../../files/encoding/encoding.ts";
import type { FileFormat } from "../../files/format.ts";
import { openApart, type Packed } from "../../files/formats/apart.ts";
import { checkNesting, MEGABYTE, tooLarge } from "../../files/formats/base/limits.ts";
import type { Source } from "../../files/formats/base/source.ts";
import { kindOf } from "../../files/formats/kinds.ts";
import { inTurn, type Turn } from "../../files/formats/turns.ts";
import { gunzip } from "../../files/formats/unpack.ts";
import type { Encoding } from "../../shared/csv/text.ts";
import type { FileLimits } from "../../shared/file-limits.ts";
import { dropOwn, ownBytes, ownPart, PART_BYTES, storePart } from "./parts.ts";

type Database = Pick<ClientBase, "query">;

/** Parts from which the layout is guessed: longer than any line. */
export const GUESSED_FROM = 5;

interface Stored {
  begin: Buffer;
  /** Bytes of the text. */
  size: number;
  encoding: Encoding;
  format: Partial<FileFormat>;
}

export interface Upload extends Stored {
  /** SHA-256 of the bytes as they came. */
  hash: Buffer<ArrayBuffer>;
}

export interface Reading {
  limits: FileLimits;
  /** Whose file it is; null on the command line. */
  accountId: string | null;
  /** Aborted when nobody waits for the file any more. */
  signal: AbortSignal;
}

/**
 * Stores an upload as delimited text: as it is, unpacked, or made of another format, whose own bytes are kept if they
 * are needed again.
 * @throws KnownError 413 for a file that is too large, or becomes it, 400 for what cannot be read, 503 if too many are read
 */
export async function storeUpload(
  database: Database,
  id: string,
  bytes: AsyncIterable<Uint8Array>,
  { limits, accountId, signal }: Reading,
): Promise<Upload> {
  const hash = createHash("sha256");
  const { megabytes } = limits;
  let size = 0;
  async function* counted() {
    for await (const piece of bytes) {
      size += piece.length;
      if (size > megabytes * MEGABYTE) throw tooLarge(megabytes);
      hash.update(piece);
      yield piece;
    }
  }
  const stored = await inTurn(accountId, signal, (turn) => storeFile({ database, id, limits, turn }, counted(), 0));
  await dropOwn(database, id, isKept(stored.format) ? "around" : "all");
  return {
    ...stored,
    hash: hash.digest(),
    ...(stored.size !== size && { format: { ...stored.format, bytes: size } }),
  };
}

/** Of a workbook another sheet may be chosen. The others go into exports, which keep their types. */
const isKept = ({ kind, sheets = [] }: Partial<FileFormat>): boolean =>
  kind !== undefined && kind !== "map" && (kind !== "xlsx" || sheets.length > 1);

interface Storing {
  database: Database;
  id: string;
  limits: Pick<FileLimits, "columns" | "rows">;
  turn: Turn;
}

async function storeFile(storing: Storing, bytes: AsyncIterable<Uint8Array>, depth: number): Promise<Stored> {
  const { database, id } = storing;
  checkNesting(depth);
  const parts = inParts(bytes);
  const { value: first, done } = await parts.next();
  async function* all() {
    if (!done) yield first;
    yield* parts;
  }
  const kind = kindOf(first ?? Buffer.alloc(0));
  if (!kind) return storeText(database, id, all());
  if (kind === "gzip") return storeFile(storing, gunzip(all()), depth + 1);
  const encoding = await storeOwn(database, id, all(), { depth, isText: kind === "json" });
  return storeContent(storing, { kind, encoding, depth });
}

interface Own {
  kind: Packed;
  encoding: Encoding;
  sheet?: string;
  depth: number;
}

/** Stores the rows of a file whose own bytes are stored, or the file inside it. */
export async function storeContent(storing: Storing, { depth, sheet, ...own }: Own): Promise<Stored> {
  const { database, id, limits, turn } = storing;
  const signal = await turn();
  const how = { ...own, sheet, mostColumns: limits.columns, mostRows: limits.rows };
  const { content, bytes } = await openApart(await ownSource(database, id), how, signal);
  if (content === "file") return storeFile(storing, bytes, depth + 1).finally(() => bytes.return({}));
  let format: Partial<FileFormat> = {};
  async function* rows() {
    format = yield* bytes;
  }
  const stored = await storeText(database, id, inParts(rows()));
  const written = own.kind === "json" && own.encoding !== "utf-8" && { ownEncoding: own.encoding };
  return { ...stored, encoding: "utf-8", format: { ...format, ...written, separator: "," } };
}

export async function storeText(database: Database, id: string, parts: AsyncIterable<Buffer>): Promise<Stored> {
  const watch = encodingWatch();
  const begin: Buffer[] = [];
  let part = 0;
  let size = 0;
  for await (const each of parts) {
    if (part === 0) refuseOtherFiles(each);
    size += each.length;
    watch.see(each);
    if (part < GUESSED_FROM) begin.push(each);
    await storePart(database, id, part, each);
    part += 1;
  }
  return { begin: Buffer.concat(begin), size, encoding: await watch.encoding(), format: {} };
}

async function storeOwn(
  database: Database,
  id: string,
  parts: AsyncIterable<Buffer>,
  { depth, isText }: { depth: number; isText: boolean },
): Promise<Encoding> {
  const watch = encodingWatch();
  let index = 0;
  for await (const each of parts) {
    if (isText) watch.see(each);
    await storePart(database, id, ownPart(index, depth), each);
    index += 1;
  }
  return watch.encoding();
}

async function ownSource(database: Database, id: string): Promise<Source> {
  const source = await ownBytes(database, id);
  if (!source) throw new Error(`The bytes of ${id} are gone.`);
  return source;
}

export async function* inParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; ) {
      const next = piece.subarray(at, at + PART_BYTES - size);
      pieces.push(next);
      size += next.length;
      at += next.length;
      if (size < PART_BYTES) continue;
      yield Buffer.concat(pieces);
      pieces = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(pieces);
}
