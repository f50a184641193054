import { createHash } from "node:crypto";
import { z } from "zod";
import { KnownError } from "../shared/errors.ts";
import type { ByteReader } from "./byte-reader.ts";
import { createSeal, type Seal } from "./seal.ts";

const MAGIC = "SAMESPOT BACKUP";
const FORMAT = 1;
const MOST_HEADER_BYTES = 1024 * 1024;

/** The readable beginning of a backup. It contains no secret. */
const headerSchema = z.object({
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
  salt: z.base64().optional(),
});

export type Header = z.infer<typeof headerSchema>;

/**
 * A backup begins with three lines: the magic word, the header as JSON, and the header's proof (hexadecimal), which is keyed
 * if the backup is encrypted. All other bytes are frames (frames.ts), bound to the header.
 */
export function writeHeader(header: Header, passphrase: string | undefined): { bytes: Buffer; seal: Seal } {
  const json = JSON.stringify(header);
  const seal = sealFor(header, json, passphrase);
  return { bytes: Buffer.from(`${MAGIC}\n${json}\n${seal.proof}\n`), seal };
}

/** Throws a KnownError that says what to do. */
export async function readHeader(
  reader: ByteReader,
  passphrase: string | undefined,
): Promise<{ header: Header; seal: Seal }> {
  const [magic, json = "", proof] = [await line(reader), await line(reader), await line(reader)];
  if (magic !== MAGIC) throw refusal("This is not a backup of Samespot, or its beginning is damaged.");
  const header = parse(json);
  if (header.salt && passphrase === undefined)
    throw refusal("This backup is encrypted. Give its key with --key-file, or in BACKUP_KEY.");
  const seal = sealFor(header, json, passphrase);
  if (seal.proof === proof) return { header, seal };
  throw refusal(
    header.salt
      ? "The key does not open this backup, or its beginning is damaged. Use the key that it was made with."
      : DAMAGED,
  );
}

export const refusal = (message: string): KnownError => new KnownError(400, "param_error", message);

export const DAMAGED = "This backup is damaged or was cut short. Nothing was restored. Use another copy of it.";

function parse(json: string): Header {
  const parsed = headerSchema.safeParse(fromJson(json));
  if (parsed.success) return parsed.data;
  const { format } = z.object({ format: z.int() }).safeParse(fromJson(json)).data ?? {};
  throw refusal(
    format !== undefined && format > FORMAT
      ? `This backup has format ${format}, which this release does not know. Restore it with the release that made it, or a newer one.`
      : DAMAGED,
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
