import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { dictionary } from "@zxcvbn-ts/language-common";
import { unavailable } from "../shared/errors.ts";

/** scrypt with 32 MB per password. After a change, passwords are rehashed at the next log-in. */
export const REAL_COST = { N: 2 ** 15, r: 8, p: 3 };
/** Tests lower it. */
export const cost = { ...REAL_COST };
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Returns `$scrypt$ln=15,r=8,p=3$<salt>$<key>` (PHC string format, base64 without padding). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return encode(salt, await derive(password, salt, cost));
}

/** Takes the same time whether the password is right or wrong. */
export async function verifyPassword(password: string, encoded: string): Promise<boolean> {
  const stored = decode(encoded);
  return timingSafeEqual(await derive(password, stored.salt, stored.cost), stored.key);
}

export function needsRehash(encoded: string): boolean {
  const { N, r, p } = decode(encoded).cost;
  return N !== cost.N || r !== cost.r || p !== cost.p;
}

/** A hash that no password has. Checked for unknown handles, so that they take as long (attacks B19). */
export const nobodysHash = () => encode(Buffer.alloc(SALT_BYTES), Buffer.alloc(KEY_BYTES));

function encode(salt: Buffer, key: Buffer): string {
  const plain = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");
  return `$scrypt$ln=${Math.log2(cost.N)},r=${cost.r},p=${cost.p}$${plain(salt)}$${plain(key)}`;
}

function decode(encoded: string) {
  const parts = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,})\$([A-Za-z0-9+/]{43})$/.exec(
    encoded,
  );
  const [, ln, r, p, salt, key] = parts ?? [];
  if (!salt || !key) throw new Error("a stored password hash is not in the form $scrypt$…");
  return {
    cost: { N: 2 ** Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, "base64"),
    key: Buffer.from(key, "base64"),
  };
}

/** Leaves two of libuv's four threads for files and DNS. Throws KnownError 503 if too many are waiting. */
async function derive(password: string, salt: Buffer, cost: typeof REAL_COST): Promise<Buffer> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING)
      throw unavailable("Too many people are logging in right now. Try again in a moment.");
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await runScrypt(password, salt, cost);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

const AT_ONCE = 2;
const MAX_WAITING = 50;
const waiting: (() => void)[] = [];
let running = 0;

/** NFKC makes passwords independent of the keyboard. */
function runScrypt(password: string, salt: Buffer, cost: typeof REAL_COST): Promise<Buffer> {
  const options = { ...cost, maxmem: 256 * cost.N * cost.r };
  return new Promise((resolve, reject) =>
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}

/** About 18,000, in lower case. Shorter ones are rejected by length. */
const COMMON = new Set(dictionary["passwords-common"].filter((password) => password.length >= 8));

/** Ignores case and spaces. */
export function isCommon(password: string): boolean {
  const typed = plain(password);
  return COMMON.has(typed) || new Set(typed).size <= 2 || typed === "samespot";
}

export function isAbout(password: string, { handle, firstName, lastName, email }: Person): boolean {
  const names = [firstName, lastName].filter((name) => typeof name === "string");
  const known = [handle, email, email?.split("@")[0], ...names, names.join("")];
  return known.some((each) => each && plain(each) === plain(password));
}

export interface Person {
  handle: string;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  email?: string | null | undefined;
}

const plain = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s/g, "");
