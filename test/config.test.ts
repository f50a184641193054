import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "../src/config.ts";

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

const GOOD_KEY = "kI3mZ0pX9vQ7tB2nL5sD8fG1hJ4wR6yU";

describe("settings", () => {
  test("need nothing on a laptop", () => {
    const config = readConfig({ DATA_DIR: folder });
    expect(config.web).toEqual({ url: "http://localhost:3000", host: "127.0.0.1", port: 3000 });
    expect([...config.roles]).toEqual(["app", "directory", "worker"]);
    expect(config).toMatchObject({
      databaseUrl: undefined,
      sampleData: true,
      admins: ["demo"],
      apiVersion: "20260101",
    });
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
    readConfig({ DATA_DIR: empty, SESSION_SECRETS: GOOD_KEY, ENCRYPTION_KEYS: GOOD_KEY });
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
      LOG_LEVEL: "loud",
      MAP_TILES_URL: "https://tiles.example.org/",
    });
    const named = problems.map((problem) => problem.split(/[: ]/)[0]);
    expect(new Set(named)).toEqual(
      new Set([
        ...["APP_URL", "AUTH_URL", "BASE_URL", "ROLES", "APP_PORT", "DATABASE_URL", "API_VERSION", "SESSION_SECRETS"],
        ...["ENCRYPTION_KEYS", "SAMPLE_DATA", "TRUST_PROXY", "TLS_CERT", "RATE_LIMIT", "LOG_LEVEL", "MAP_TILES_URL"],
      ]),
    );
  });

  test.each([
    ["TRUST_PROXY", { TRUST_PROXY: "10.0.0.0/99" }],
    ["API_VERSION", { API_VERSION: "20269999" }],
    ["APP_PORT", { APP_URL: "http://localhost:5000", AUTH_URL: "http://localhost:5000" }],
    ["TLS_CERT", { TLS_CERT: "package.json", TLS_KEY: "package.json" }],
  ])("refuse a %s that cannot work", (variable, env) => {
    expect(problemsOf(env as Record<string, string>)).toEqual([expect.stringMatching(`^${variable}:`)]);
  });

  test("say which of two halves is missing", () => {
    expect(problemsOf({ CLIENT_ID: "x" })).toEqual([expect.stringContaining("CLIENT_SECRET")]);
  });

  test("require secrets in production with a database of one's own", () => {
    const problems = problemsOf({ NODE_ENV: "production", DATABASE_URL: "postgresql://db/samespot" });
    expect(problems.map((problem) => problem.split(":")[0])).toEqual(["SESSION_SECRETS", "ENCRYPTION_KEYS"]);
  });

  test("treat an empty variable as not set", () => {
    expect(readConfig({ DATA_DIR: folder, ADMINS: "", DATABASE_URL: "" })).toMatchObject({ admins: ["demo"] });
  });

  test("are all listed in .env.example", () => {
    const documented = readFileSync(".env.example", "utf8")
      .match(/^#?[A-Z_]+(?==)/gm)
      ?.map((name) => name.replace("#", ""));
    const source = readFileSync("src/config.ts", "utf8");
    const read = source.match(/^ {2,4}[A-Z_]{4,}(?=:)/gm)?.map((name) => name.trim()) ?? [];
    expect(new Set(documented)).toEqual(new Set(read.filter((name) => name !== "NODE_ENV")));
  });
});
