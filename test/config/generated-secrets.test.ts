import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { randomToken } from "../../src/shared/crypto.ts";
import { dataDir, GOOD_KEY, GOOD_SECRET } from "../support/settings.ts";

const { folder, problemsOf } = dataDir();

const BOTH = ["SESSION_SECRETS", "ENCRYPTION_KEYS"] as const;

describe.each(BOTH)("%s", (variable) => {
  test.each([
    ["short", "Zq7!".repeat(7)],
    ["of one letter", "A".repeat(44)],
    ["all zero", "0".repeat(64)],
    ["zero bytes in base64", Buffer.alloc(32).toString("base64")],
    ["of few letters", "ab12".repeat(11)],
    ["changeme", "changeme-changeme-changeme-changeme"],
    ["CHANGE ME", "PleaseChangeMe_1234567890_qwertyuiop"],
    ["a word of the documentation", "generate-with: openssl rand -base64 32"],
    ["the command that makes one", "$(openssl rand -base64 32) $(openssl rand -base64 32)"],
    ["a bad one before a good one", `changeme-changeme-changeme-changeme,${GOOD_KEY}`],
    ["a list of nothing", ",,"],
  ])("S06: is refused when it is %s, by its name and without being quoted", (_case, value) => {
    const problems = problemsOf({ [variable]: value });
    expect(problems).toEqual([expect.stringMatching(`^${variable}: .*openssl rand -base64 32`)]);
    for (const secret of value.split(",").filter((each) => each.length > 20))
      expect(problems.join()).not.toContain(secret);
  });

  test("S06: may keep a weak one behind the first, so that it can be rotated away", () => {
    expect(problemsOf({ [variable]: `${GOOD_KEY},changeme,${"0".repeat(64)}` })).toEqual([]);
  });

  test("S06: is required in production with a database of one's own", () => {
    const env = { NODE_ENV: "production", DATABASE_URL: "postgresql://db/samespot" };
    const other = variable === "ENCRYPTION_KEYS" ? { SESSION_SECRETS: GOOD_SECRET } : { ENCRYPTION_KEYS: GOOD_KEY };
    for (const empty of [{}, { [variable]: "" }])
      expect(problemsOf({ ...env, ...other, ...empty })).toEqual([expect.stringMatching(`^${variable}: is required`)]);
  });

  test("takes what openssl and this program make, several as well", () => {
    for (const encoding of ["base64", "base64url", "hex"] as const)
      for (let count = 0; count < 300; count += 1)
        expect(problemsOf({ [variable]: Buffer.from(randomToken(32)).toString(encoding) })).toEqual([]);
    expect(problemsOf({ [variable]: `${GOOD_KEY}, ${randomToken()} ,${randomToken()}` })).toEqual([]);
  });
});

describe("secrets.json", () => {
  const file = path.join(folder, "secrets.json");
  const read = () => readConfig({ DATA_DIR: folder });

  test("S06: is refused if others may read it, with the command that closes it", () => {
    read();
    for (const mode of [0o644, 0o640, 0o604, 0o620]) {
      chmodSync(file, mode);
      expect(read, mode.toString(8)).toThrow(`chmod 600 ${file}`);
    }
    chmodSync(file, 0o600);
    expect(read).not.toThrow();
  });

  test("S06: is refused if it is damaged or holds no secrets, and is left as it is", () => {
    const whole = readFileSync(file, "utf8");
    const { encryption } = JSON.parse(whole);
    for (const text of [
      "",
      "{}",
      whole.slice(0, -20),
      whole.replace(encryption, ""),
      whole.replace(encryption, "0".repeat(43)),
    ]) {
      writeFileSync(file, text);
      expect(read).toThrow(`${file} is damaged`);
      expect(readFileSync(file, "utf8")).toBe(text);
    }
    writeFileSync(file, whole);
  });
});
