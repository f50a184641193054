import { createCipheriv, createDecipheriv, createHash, createHmac, scryptSync } from "node:crypto";

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
/** 32 MB and a tenth of a second. Passphrases are strong (secret-strength.ts), so this needs no more; tests of many keys take less. */
export const keyCost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 ** 2 };

/** The construction STREAM: a key per backup, so that a counter may be the nonce, whose last byte marks the last frame. */
function encrypting(digest: Buffer, { salt, passphrase = "" }: Key): Seal {
  const derived = scryptSync(passphrase, salt, 64, keyCost);
  const [key, proofKey] = [derived.subarray(0, 32), derived.subarray(32)];
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
