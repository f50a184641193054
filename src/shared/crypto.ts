import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";

/** Returns `bytes` × 8 random bits as base64url. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString("base64url");

/** Returns a random id of 24 hexadecimal digits, the form of all ids in the interface. */
export function randomId(): string {
  if (drawn.length < ID_BYTES) drawn = randomBytes(256 * ID_BYTES);
  const id = drawn.toString("hex", 0, ID_BYTES);
  drawn = drawn.subarray(ID_BYTES);
  return id;
}

const ID_BYTES = 12;
/** Drawn for many ids at once, because each draw is a system call. */
let drawn = Buffer.alloc(0);

/** Only for secrets random enough to need no salt: codes, session ids, application secrets. */
export const sha256 = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash("sha256").update(text).digest());

/**
 * Seals values of one program with the first of the ENCRYPTION_KEYS, and opens them with any. A sealed value is `key id (4) |
 * nonce (12) | tag (16) | ciphertext`, with `place` (table, row, column) as associated data, so it opens nowhere else (attacks S03).
 */
export interface Vault {
  /** Ids of the keys, newest first. A sealed value begins with its key's id. */
  keyIds: readonly Uint8Array<ArrayBuffer>[];
  seal(plain: string, place: string): Uint8Array<ArrayBuffer>;
  /** Returns undefined if no key opens the value at this place. */
  open(sealed: Uint8Array, place: string): string | undefined;
  /** Keyed fingerprints, one per key, newest first: store the first, look up by any. */
  fingerprints(value: string, label: string): Uint8Array<ArrayBuffer>[];
  fingerprint(value: string, label: string): Uint8Array<ArrayBuffer>;
}

export function createVault(keys: readonly string[], purpose: string): Vault {
  const rings = keys.map((key) => ({
    id: Buffer.from(derive(key, purpose, "id", 4)),
    seal: derive(key, purpose, "seal", 32),
    mac: derive(key, purpose, "mac", 32),
  }));
  const [newest] = rings;
  if (!newest) throw new Error("a vault needs at least one key");
  const mac = (key: Buffer, value: string, label: string) =>
    new Uint8Array(createHmac("sha256", key).update(`${label}\0${value}`).digest());

  return {
    keyIds: rings.map(({ id }) => new Uint8Array(id)),
    seal(plain, place) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", newest.seal, nonce).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return new Uint8Array(Buffer.concat([newest.id, nonce, cipher.getAuthTag(), body]));
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed);
      const ring = rings.find((candidate) => candidate.id.equals(bytes.subarray(0, 4)));
      if (!ring || bytes.length < 32) return undefined;
      try {
        const decipher = createDecipheriv("aes-256-gcm", ring.seal, bytes.subarray(4, 16), { authTagLength: 16 });
        decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(16, 32));
        return decipher.update(bytes.subarray(32), undefined, "utf8") + decipher.final("utf8");
      } catch {
        return undefined;
      }
    },
    fingerprints: (value, label) => rings.map((ring) => mac(ring.mac, value, label)),
    fingerprint: (value, label) => mac(newest.mac, value, label),
  };
}

/** Derives an independent key per purpose and use (HKDF, RFC 5869). */
function derive(key: string, purpose: string, use: string, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "samespot", `${purpose}/${use}`, length));
}
