import { expect, test } from "vitest";
import { createVault } from "../../src/shared/crypto.ts";
import { roundsOf } from "../support/rounds.ts";

const vault = createVault(["key-one"], "app");
const PLACE = "app.connection.token:1";

test("a sealed value opens in its place, and reveals nothing", () => {
  const sealed = vault.seal("the token", PLACE);
  expect(Buffer.from(sealed).includes("token")).toBe(false);
  expect(vault.open(sealed, PLACE)).toBe("the token");
});

test("a sealed value copied to another row does not open", () => {
  expect(vault.open(vault.seal("the token", PLACE), "app.connection.token:2")).toBeUndefined();
});

test("a sealed value of one program does not open in the other", () => {
  expect(createVault(["key-one"], "directory").open(vault.seal("the token", PLACE), PLACE)).toBeUndefined();
});

test("a sealed value with any bit flipped does not open", () => {
  const sealed = vault.seal("the token", PLACE);
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const damaged = Uint8Array.from(sealed);
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(vault.open(damaged, PLACE), `bit ${bit}`).toBeUndefined();
  }
});

test("a truncated sealed value does not open", () => {
  const sealed = vault.seal("the token", PLACE);
  for (const length of [0, 3, 4, 16, 31, 32, sealed.length - 1]) {
    expect(vault.open(sealed.slice(0, length), PLACE), `${length} bytes`).toBeUndefined();
  }
});

test("a sealed value of an older key opens, and new values use the newest key", () => {
  const old = vault.seal("the token", PLACE);
  const rotated = createVault(["key-two", "key-one"], "app");
  expect(rotated.open(old, PLACE)).toBe("the token");
  expect(createVault(["key-two"], "app").open(rotated.seal("x", PLACE), PLACE)).toBe("x");
  expect(createVault(["key-two"], "app").open(old, PLACE)).toBeUndefined();
});

test("a fingerprint is found under any key, and differs by label", () => {
  const rotated = createVault(["key-two", "key-one"], "app");
  expect(rotated.fingerprints("t", "token")).toContainEqual(vault.fingerprint("t", "token"));
  expect(vault.fingerprint("t", "token")).not.toEqual(vault.fingerprint("t", "state"));
});

test("S08: sealed values have no nonce in common", () => {
  const [nonces, count] = [new Set<string>(), roundsOf(100_000, 10_000)];
  for (let n = 0; n < count; n++) nonces.add(Buffer.from(vault.seal("", PLACE)).subarray(4, 16).toString("hex"));
  expect(nonces.size).toBe(count);
});
