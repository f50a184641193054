import { timingSafeEqual } from "node:crypto";
import type { AddVenueParameters } from "../../contract/parameters.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import type { Vault } from "../../shared/crypto.ts";
import type { TokenPair } from "../tokens.ts";

/** A key is valid for the rest of its hour and the next. */
const HOUR = 3_600_000;

type Spot = Pick<AddVenueParameters, "name" | "ll">;

export function duplicatesKey(vault: Vault, caller: TokenPair, spot: Spot, now: Date): string {
  return keyOf(vault.fingerprint(describe(caller, spot, hourOf(now)), "duplicates"));
}

export function isDuplicatesKey(vault: Vault, caller: TokenPair, spot: Spot, now: Date, key: string): boolean {
  return [hourOf(now), hourOf(now) - 1]
    .flatMap((hour) => vault.fingerprints(describe(caller, spot, hour), "duplicates"))
    .some((fingerprint) => isSame(keyOf(fingerprint), key));
}

const hourOf = (now: Date) => Math.floor(now.getTime() / HOUR);

const keyOf = (fingerprint: Uint8Array) => Buffer.from(fingerprint).toString("hex").slice(0, 32);

const describe = ({ clientId, userId }: TokenPair, { name, ll }: Spot, hour: number) =>
  JSON.stringify([clientId, userId, normalizeName(name), ll.lat.toFixed(4), ll.lng.toFixed(4), hour]);

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
