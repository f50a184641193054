import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { KnownError } from "../shared/errors.ts";
import type { ByteReader } from "./byte-reader.ts";
import { createSeal, type Seal } from "./seal.ts";

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
  { passphrase, takesUnencrypted = false }: Opening,
): Promise<{ header: Header; seal: Seal }> {
  const [magic, json = "", proof] = [await line(reader), await line(reader), await line(reader)];
  if (magic !== MAGIC) throw refusal("This is not a backup of Samespot, or its beginning is damaged.");
  const header = parse(json);
  if (header.salt !== undefined && passphrase === undefined)
    throw refusal("This backup is encrypted. Give its key with --key-file, or in BACKUP_KEY.");
  if (header.salt === undefined && passphrase !== undefined && !takesUnencrypted) throw refusal(UNENCRYPTED);
  const seal = sealFor(header, json, passphrase);
  if (seal.proof === proof) return { header, seal };
  throw refusal(
    header.salt !== undefined
      ? "The key does not open this backup, or its beginning is damaged. Use the key that it was made with."
      : BAD_BEGINNING,
  );
}

export const refusal = (message: string): KnownError => new KnownError(400, "param_error", message);

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
  throw refusal(
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
