import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { FORMER_REMEDY, isFormer } from "../db/former.ts";
import { unknownMigrations } from "../db/migrate.ts";
import { type ByteReader, createByteReader } from "./byte-reader.ts";
import { fromFrames } from "./frames.ts";
import { DAMAGED, type Header, type Opening, readHeader, refusal } from "./header.ts";
import { type BackupRecord, type End, readRecords } from "./records.ts";
import type { Seal } from "./seal.ts";

export interface Backup {
  header: Header;
  seal: Seal;
  /** Behind the header. */
  reader: ByteReader;
}

/** Reads the beginning. Throws a KnownError if this program cannot restore it. */
export async function openBackup(source: AsyncIterable<Uint8Array>, opening: Opening): Promise<Backup> {
  const reader = createByteReader(source);
  const { header, seal } = await readHeader(reader, opening);
  const unknown = await unknownMigrations(header.migrations);
  if (unknown.length === 0) return { header, seal, reader };
  if (unknown.some(isFormer))
    throw refusal(
      `This backup was made before the first release. Restore it into a database with ${header.version}, which made it. ${FORMER_REMEDY}`,
    );
  throw refusal(
    `This backup is newer than this program: it has ${unknown.join(", ")}. Restore it with release ${header.version} or a newer one.`,
  );
}

/** Passes the records to `work`, once. Throws a KnownError if the backup is damaged. */
export async function readBackup<Result>(
  { seal, reader }: Backup,
  work: (records: AsyncGenerator<BackupRecord>) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  let result: { value: Result } | undefined;
  await pipeline(
    () => fromFrames(reader, seal),
    createZstdDecompress(),
    async (plain: AsyncIterable<Uint8Array>) => {
      result = { value: await work(readRecords(plain)) };
    },
    { ...(signal && { signal }) },
  );
  if (!result) throw refusal(DAMAGED);
  return result.value;
}

/** Reads all of it, without a database. Returns the number of rows by table. */
export function checkBackup(backup: Backup, signal?: AbortSignal): Promise<End["rows"]> {
  const lastOf = async (records: AsyncIterable<BackupRecord>) => {
    let rows: End["rows"] = {};
    for await (const record of records) if (record.kind === "end") rows = record.end.rows;
    return rows;
  };
  return readBackup(backup, lastOf, signal);
}
