import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { FORMER_REMEDY, isFormer } from "../db/former.ts";
import { unknownMigrations } from "../db/migrate.ts";
import { badRequest } from "../shared/errors.ts";
import {
  type ByteReader,
  createByteReader,
  DAMAGED,
  type Header,
  type Opening,
  type Place,
  readHeader,
  type Seal,
} from "./header.ts";
import { type BackupRecord, type End, readRecords } from "./records.ts";

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
    throw badRequest(
      `This backup was made before the first release. Restore it into a database with ${header.version}, which made it. ${FORMER_REMEDY}`,
    );
  throw badRequest(
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
  if (!result) throw badRequest(DAMAGED);
  return result.value;
}

/** Reads all of it, without a database. Returns the number of rows by table. */
export function checkBackup(backup: Backup): Promise<End["rows"]> {
  const lastOf = async (records: AsyncIterable<BackupRecord>) => {
    let rows: End["rows"] = {};
    for await (const record of records) if (record.kind === "end") rows = record.end.rows;
    return rows;
  };
  return readBackup(backup, lastOf);
}

/** Bytes of a frame before it is sealed. */
const FRAME = 256 * 1024;
const LENGTH_BYTES = 4;

/** Cuts a stream into sealed frames, each after its length. The last one is marked, so that a cut file is noticed. */
export async function* toFrames(source: AsyncIterable<Uint8Array>, seal: Seal): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let have = 0;
  let index = 0;
  for await (const chunk of source) {
    parts.push(chunk);
    have += chunk.length;
    if (have <= FRAME) continue;
    let rest: Buffer = Buffer.concat(parts);
    for (; rest.length > FRAME; rest = rest.subarray(FRAME))
      yield frameOf(seal.close(rest.subarray(0, FRAME), { index: index++, isLast: false }));
    parts = [rest];
    have = rest.length;
  }
  yield frameOf(seal.close(Buffer.concat(parts), { index, isLast: true }));
}

function frameOf(sealed: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(sealed.length);
  return Buffer.concat([length, sealed]);
}

/** Throws a KnownError at the first frame that is not as it was made, with what happened to it as far as that can be told. */
async function* fromFrames(reader: ByteReader, seal: Seal): AsyncGenerator<Buffer> {
  for (let [index, isLast] = [0, false]; !isLast; index++) {
    const head = await reader.take(LENGTH_BYTES);
    if (!head) throw badRequest(index === 0 ? NO_FRAMES : CUT);
    const length = head.readUInt32BE();
    if (length < seal.overhead || length > FRAME + seal.overhead) throw badRequest(changed(index));
    const frame = await reader.take(length);
    if (!frame) throw badRequest(CUT);
    isLast = await reader.isOver();
    const bytes = seal.open(frame, { index, isLast });
    if (!bytes) throw badRequest(whatHappened(frame, seal, { index, isLast }));
    yield bytes;
  }
}

/** Frames before and behind its own place, where one is looked for: 64 MB in either direction. */
const NEAR = 256;

function whatHappened(frame: Buffer, seal: Seal, { index, isLast }: Place): string {
  const isAt = (place: Place) => seal.open(frame, place) !== undefined;
  if (isAt({ index, isLast: !isLast })) return isLast ? CUT : ADDED;
  for (let other = Math.max(0, index - NEAR); other <= index + NEAR; other++)
    if (isAt({ index: other, isLast: false }) || isAt({ index: other, isLast: true })) return MOVED;
  return changed(index);
}

const UNUSABLE = "Nothing was restored. Use another copy of it.";
const NO_FRAMES = `This backup was cut short behind its beginning. ${UNUSABLE}`;
const CUT = `This backup was cut short: its end is missing. ${UNUSABLE}`;
const ADDED = `Something was added behind the end of this backup. ${UNUSABLE}`;
const MOVED = `Parts of this backup are missing, repeated or in another order. ${UNUSABLE}`;
const changed = (index: number): string =>
  `Part ${index + 1} of this backup was changed, or belongs to another backup. ${UNUSABLE}`;
