import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "../src/config.ts";
import { randomToken } from "../src/crypto.ts";

const folder = mkdtempSync(path.join(tmpdir(), "samespot-config-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig({ DATA_DIR: folder, ...env });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

/** What src/config.ts reads, but for NODE_ENV, which is everybody's. */
const settings = [...new Set(readFileSync("src/config.ts", "utf8").match(/(?<=^ {2})[A-Z][A-Z_]{3,}(?=:)/gm))].filter(
  (name) => name !== "NODE_ENV",
);

const GOOD_KEY = "kI3mZ0pX9vQ7tB2nL5sD8fG1hJ4wR6yU";
const GOOD_SECRET = "Tz4rYq8WmB1cVd6NxF3gHs9JkL2pQe7A";

describe("settings", () => {
  test("need nothing on a laptop", () => {
    const config = readConfig({ DATA_DIR: folder });
    expect(config.web).toEqual({ url: "http://localhost:3000", host: "127.0.0.1", port: 3000 });
    expect([...config.roles]).toEqual(["app", "directory", "worker"]);
    expect(config).toMatchObject({
      databaseUrl: undefined,
      sampleData: true,
      admins: ["demo"],
      operators: ["demo"],
      operatorContact: undefined,
      newApplications: "enabled",
      apiVersion: "20260101",
    });
  });

  test("take addresses from the ports, and ports from the addresses", () => {
    const { web, auth, api } = readConfig({
      ...{ DATA_DIR: folder, APP_PORT: "4000", AUTH_PORT: "4001", AUTH_URL: "https://login.example.org" },
      BASE_URL: "http://localhost:4002",
    });
    expect([web.url, web.port]).toEqual(["http://localhost:4000", 4000]);
    expect([auth.url, auth.port]).toEqual(["https://login.example.org", 4001]);
    expect([api.url, api.port]).toEqual(["http://localhost:4002", 4002]);
    expect(readConfig({ DATA_DIR: folder, API_PORT: "4003" }).api.url).toBe("http://localhost:4003");
  });

  test("generate secrets once, readable by their owner only", () => {
    const first = readConfig({ DATA_DIR: folder });
    const file = path.join(folder, "secrets.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toContain(first.encryptionKeys[0]);
    const second = readConfig({ DATA_DIR: folder });
    expect(second.encryptionKeys).toEqual(first.encryptionKeys);
    expect(second.demoPassword()).toBe(first.demoPassword());
    expect(first.demoPassword()).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){2}$/);
  });

  test("generate nothing where secrets are given", () => {
    const empty = path.join(folder, "untouched");
    readConfig({ DATA_DIR: empty, SESSION_SECRETS: GOOD_SECRET, ENCRYPTION_KEYS: GOOD_KEY });
    expect(existsSync(empty)).toBe(false);
  });

  test("report every mistake at once, each naming its variable", () => {
    const problems = problemsOf({
      APP_URL: "samespot.example.org",
      AUTH_URL: "http://login.example.org",
      BASE_URL: "https://api.example.org/v2",
      ROLES: "app,cook",
      APP_PORT: "70000",
      DATABASE_URL: "mysql://localhost/x",
      API_VERSION: "today",
      SESSION_SECRETS: "short",
      ENCRYPTION_KEYS: "00000000000000000000000000000000",
      SAMPLE_DATA: "maybe",
      TRUST_PROXY: "everyone",
      TLS_CERT: "/nowhere/cert.pem",
      RATE_LIMIT: "-3",
      OPERATOR_CONTACT: "http://plain.example/",
      NEW_APPLICATIONS: "perhaps",
      LOG_LEVEL: "loud",
      MAP_TILES_URL: "https://tiles.example.org/",
    });
    const named = problems.map((problem) => problem.split(/[: ]/)[0]);
    expect(new Set(named)).toEqual(
      new Set([
        ...["APP_URL", "AUTH_URL", "BASE_URL", "ROLES", "APP_PORT", "DATABASE_URL", "API_VERSION", "SESSION_SECRETS"],
        ...["ENCRYPTION_KEYS", "SAMPLE_DATA", "TRUST_PROXY", "TLS_CERT", "RATE_LIMIT", "LOG_LEVEL", "MAP_TILES_URL"],
        ...["OPERATOR_CONTACT", "NEW_APPLICATIONS"],
      ]),
    );
  });

  test.each([
    ["TRUST_PROXY", { TRUST_PROXY: "10.0.0.0/99" }],
    ["API_VERSION", { API_VERSION: "20269999" }],
    ["AUTH_URL", { AUTH_URL: "http://127.example.org" }],
    ["APP_PORT", { APP_URL: "http://localhost:5000", AUTH_URL: "http://localhost:5000" }],
    ["TLS_CERT", { TLS_CERT: "package.json", TLS_KEY: "package.json" }],
  ])("refuse a %s that cannot work", (variable, env) => {
    expect(problemsOf(env as Record<string, string>)).toEqual([expect.stringMatching(`^${variable}:`)]);
  });

  test("say which of two halves is missing", () => {
    expect(problemsOf({ CLIENT_ID: "x" })).toEqual([expect.stringContaining("CLIENT_SECRET")]);
  });

  test("treat an empty variable as not set", () => {
    expect(readConfig({ DATA_DIR: folder, ADMINS: "", DATABASE_URL: "" })).toMatchObject({ admins: ["demo"] });
  });

  test.each([
    { SAMPLE_DATA: "off" },
    { ROLES: "app", CLIENT_ID: "x", CLIENT_SECRET: "y" },
    { DATABASE_URL: "postgresql://db/samespot" },
    { DATABASE_URL: "postgresql://db/samespot", SAMPLE_DATA: "on" },
  ])("W08: name no admin by themselves with %o, where anybody might have the handle", (env) => {
    expect(readConfig({ DATA_DIR: folder, ...env })).toMatchObject({ admins: [], operators: [] });
  });

  test("are all listed in .env.example, with those of compose.yaml and no others", () => {
    const documented = readFileSync(".env.example", "utf8").match(/(?<=^#?)[A-Z_]+(?==)/gm);
    const ofCompose = readFileSync("compose.yaml", "utf8").match(/(?<=\$\{)[A-Z_]+/g) ?? [];
    expect(new Set(documented)).toEqual(new Set([...settings, ...ofCompose]));
  });

  test.each(settings)("have a word about %s in docs/operations.md", (name) => {
    expect(readFileSync("docs/operations.md", "utf8")).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

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

  test("takes what openssl and we make, many of them too", () => {
    for (const encoding of ["base64", "base64url", "hex"] as const)
      for (let count = 0; count < 300; count += 1)
        expect(problemsOf({ [variable]: Buffer.from(randomToken(32)).toString(encoding) })).toEqual([]);
    expect(problemsOf({ [variable]: `${GOOD_KEY}, ${randomToken()} ,${randomToken()}` })).toEqual([]);
  });
});

describe("secrets.json", () => {
  const file = path.join(folder, "secrets.json");
  const read = () => readConfig({ DATA_DIR: folder });

  test("S06: that others may read is refused, and says how to close it", () => {
    read();
    for (const mode of [0o644, 0o640, 0o604, 0o620]) {
      chmodSync(file, mode);
      expect(read, mode.toString(8)).toThrow(`chmod 600 ${file}`);
    }
    chmodSync(file, 0o600);
    expect(read).not.toThrow();
  });

  test("S06: that is damaged, or holds what is no secret, is refused and left as it is", () => {
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
