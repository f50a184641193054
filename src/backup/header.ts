import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, scryptSync } from "node:crypto";
import { createWriteStream, existsSync, type WriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { badRequest } from "../shared/errors.ts";

const MAGIC = "SAMESPOT BACKUP";
const FORMAT = 1;
const MOST_HEADER_BYTES = 1024 * 1024;

const SALT_BYTES = 16;

/** The readable beginning of a backup. It contains no secret. A field that we do not know may change how the rest is read. */
const headerSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** Version of the program that made it. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  postgres: z.string(),
  /** Names of the migrations that the database had, in order. */
  migrations: z.array(z.string()).min(1),
  /** Ids of the keys, derived from ENCRYPTION_KEYS, that its values are sealed with. */
  keys: z.object({ app: z.array(z.string()), directory: z.array(z.string()) }),
  /** Of the passphrase's key; without it the backup is not encrypted. */
  salt: z
    .base64()
    .refine((text) => Buffer.from(text, "base64").length === SALT_BYTES)
    .optional(),
});

export type Header = z.infer<typeof headerSchema>;

export const randomSalt = (): string => randomBytes(SALT_BYTES).toString("base64");

/** How a backup is to be opened. */
export interface Opening {
  passphrase: string | undefined;
  /** Whether a backup that is not encrypted is taken although there is a passphrase. Anybody could have made it. */
  takesUnencrypted?: boolean;
}

/**
 * A backup begins with three lines: the magic word, the header as JSON, and the header's proof (hexadecimal), which is keyed
 * if the backup is encrypted. All other bytes are frames (backup-file.ts), bound to the header.
 */
export function writeHeader(header: Header, passphrase: string | undefined): { bytes: Buffer; seal: Seal } {
  const json = JSON.stringify(header);
  const seal = sealFor(header, json, passphrase);
  return { bytes: Buffer.from(`${MAGIC}\n${json}\n${seal.proof}\n`), seal };
}

/** Throws a KnownError that says what to do. */
export async function readHeader(
  reader: ByteReader,
  { passphrase, takesUnencrypted = false }: Opening,
): Promise<{ header: Header; seal: Seal }> {
  const magic = await line(reader);
  const json = (await line(reader)) ?? "";
  const proof = await line(reader);
  if (magic !== MAGIC) throw badRequest("This is not a backup of Samespot, or its beginning is damaged.");
  const header = parse(json);
  if (header.salt !== undefined && passphrase === undefined)
    throw badRequest("This backup is encrypted. Give its key with --key-file, or in BACKUP_KEY.");
  if (header.salt === undefined && passphrase !== undefined && !takesUnencrypted) throw badRequest(UNENCRYPTED);
  const seal = sealFor(header, json, passphrase);
  if (seal.proof === proof) return { header, seal };
  throw badRequest(
    header.salt !== undefined
      ? "The key does not open this backup, or its beginning is damaged. Use the key that it was made with."
      : BAD_BEGINNING,
  );
}

const UNENCRYPTED =
  "This backup is not encrypted, although there is a key (BACKUP_KEY or --key-file): anybody could have made or changed it. " +
  "Nothing was restored. If you know where it comes from, add --allow-unencrypted.";

const BAD_BEGINNING = "The beginning of this backup is damaged. Nothing was restored. Use another copy of it.";

export const DAMAGED = "This backup is damaged or was cut short. Nothing was restored. Use another copy of it.";

function parse(json: string): Header {
  const parsed = headerSchema.safeParse(fromJson(json));
  if (parsed.success) return parsed.data;
  const { format } = z.object({ format: z.int() }).safeParse(fromJson(json)).data ?? {};
  const unknown =
    format !== undefined && format !== FORMAT
      ? `format ${format}`
      : parsed.error.issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : [])).join(", ");
  throw badRequest(
    unknown
      ? `This backup has ${unknown}, which this release does not know. Restore it with the release that made it, or a newer one.`
      : BAD_BEGINNING,
  );
}

function sealFor({ salt }: Header, json: string, passphrase: string | undefined): Seal {
  const digest = createHash("sha256").update(json).digest();
  return createSeal(digest, salt === undefined ? undefined : { salt: Buffer.from(salt, "base64"), passphrase });
}

const line = async (reader: ByteReader): Promise<string | undefined> => reader.line(MOST_HEADER_BYTES);

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Proves that frames are whole, in order and of this backup, and encrypts them if there is a passphrase. */
export interface Seal {
  /** Of the header, hexadecimal. */
  proof: string;
  /** Bytes that close() adds. */
  overhead: number;
  close(bytes: Uint8Array, place: Place): Buffer;
  /** Returns undefined unless close() has made it for the same place. */
  open(frame: Buffer, place: Place): Buffer | undefined;
}

export interface Place {
  index: number;
  isLast: boolean;
}

interface Key {
  salt: Buffer;
  passphrase: string | undefined;
}

/** `digest` of the header, which every frame is bound to. */
export function createSeal(digest: Buffer, key: Key | undefined): Seal {
  return key ? encrypting(digest, key) : hashing(digest);
}

const HASH_BYTES = 32;

function hashing(digest: Buffer): Seal {
  const hash = (bytes: Uint8Array, place: Place) =>
    createHash("sha256").update(digest).update(nonceOf(place)).update(bytes).digest();
  return {
    proof: digest.toString("hex"),
    overhead: HASH_BYTES,
    close: (bytes, place) => Buffer.concat([hash(bytes, place), bytes]),
    open(frame, place) {
      const bytes = frame.subarray(HASH_BYTES);
      return hash(bytes, place).equals(frame.subarray(0, HASH_BYTES)) ? bytes : undefined;
    },
  };
}

const TAG_BYTES = 16;
/** 32 MB and a tenth of a second. Passphrases are strong (config/secrets.ts), so this needs no more; tests of many keys take less. */
export const keyCost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 ** 2 };

/** The construction STREAM: a key per backup, so that a counter may be the nonce, whose last byte marks the last frame. */
function encrypting(digest: Buffer, { salt, passphrase = "" }: Key): Seal {
  const derived = scryptSync(passphrase, salt, 64, keyCost);
  const key = derived.subarray(0, 32);
  const proofKey = derived.subarray(32);
  return {
    proof: createHmac("sha256", proofKey).update(digest).digest("hex"),
    overhead: TAG_BYTES,
    close(bytes, place) {
      const cipher = createCipheriv("aes-256-gcm", key, nonceOf(place)).setAAD(digest);
      const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
      return Buffer.concat([cipher.getAuthTag(), body]);
    },
    open(frame, place) {
      if (frame.length < TAG_BYTES) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(place), { authTagLength: TAG_BYTES });
      decipher.setAAD(digest).setAuthTag(frame.subarray(0, TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(frame.subarray(TAG_BYTES)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}

function nonceOf({ index, isLast }: Place): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

export interface ByteReader {
  /** Returns exactly `length` bytes, or undefined if fewer are left. */
  take(length: number): Promise<Buffer | undefined>;
  /** Returns the text before the next line feed; undefined if there is none within `most` bytes. */
  line(most: number): Promise<string | undefined>;
  isOver(): Promise<boolean>;
}

/** Reads a stream piece by piece. Holds one chunk of it and the piece. */
export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let ended = false;

  async function fill(length: number): Promise<boolean> {
    const parts = [rest];
    let have = rest.length;
    while (have < length && !ended) {
      const { done, value } = await chunks.next();
      if (done) ended = true;
      else {
        parts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
        have += value.byteLength;
      }
    }
    if (parts.length > 1) rest = Buffer.concat(parts);
    return have >= length;
  }

  async function take(length: number): Promise<Buffer | undefined> {
    if (!(await fill(length))) return undefined;
    const piece = rest.subarray(0, length);
    rest = rest.subarray(length);
    return piece;
  }

  return {
    take,
    async line(most) {
      for (let have = 1; have <= most; have = rest.length + 1) {
        const isMore = await fill(have);
        const at = rest.indexOf(10);
        if (at >= 0) return (await take(at + 1))?.toString("utf8", 0, at);
        if (!isMore) return undefined;
      }
      return undefined;
    },
    isOver: async () => !(await fill(1)),
  };
}

/**
 * Writes a file that others see only once it is whole and on the disk. Only its owner may read it.
 *
 * @throws KnownError if the file exists, unless `replaces`
 */
export async function writeWhole<Result>(
  file: string,
  replaces: boolean,
  write: (sink: WriteStream) => Promise<Result>,
): Promise<Result> {
  const requireNew = () => {
    if (!replaces && existsSync(file))
      throw badRequest(`${file} exists. Choose another name, or replace it with --force.`);
  };
  requireNew();
  const draft = `${file}.${randomBytes(4).toString("hex")}.partial`;
  try {
    const result = await write(createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true }));
    requireNew();
    await rename(draft, file);
    await syncFolder(path.dirname(path.resolve(file)));
    return result;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Makes the new name outlast a power cut. Windows opens no folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().catch(() => {}); // some network file systems refuse
  await handle.close();
}
