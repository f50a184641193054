import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { dataDir, GOOD_KEY, GOOD_SECRET } from "../support/settings.ts";

const { folder, problemsOf } = dataDir();

/** The variables of src/config/variables.ts except NODE_ENV, which is not ours alone. */
const settings = [
  ...new Set(readFileSync("src/config/variables.ts", "utf8").match(/(?<=^ {2})[A-Z][A-Z_]{3,}(?=:)/gm)),
].filter((name) => name !== "NODE_ENV");

describe("settings", () => {
  test("have defaults that run on a laptop", () => {
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
      holdNewVenues: "off",
      apiVersion: "20260101",
    });
  });

  test.each([
    [0, {}],
    [3, { TRUST_PROXY: "10.0.0.0/8" }],
    [0, { TRUST_PROXY: "10.0.0.0/8", ROLES: "worker" }],
    [7.5, { DRAIN_SECONDS: "7.5" }],
    [0, { TRUST_PROXY: "10.0.0.0/8", DRAIN_SECONDS: "0" }],
  ])("drain for %d seconds with %o", (seconds, env) => {
    expect(readConfig({ DATA_DIR: folder, ...env }).drainSeconds).toBe(seconds);
  });

  test("derive addresses from ports, and ports from addresses", () => {
    const { web, auth, api } = readConfig({
      ...{ DATA_DIR: folder, APP_PORT: "4000", AUTH_PORT: "4001", AUTH_URL: "https://login.example.org" },
      BASE_URL: "http://localhost:4002",
    });
    expect([web.url, web.port]).toEqual(["http://localhost:4000", 4000]);
    expect([auth.url, auth.port]).toEqual(["https://login.example.org", 4001]);
    expect([api.url, api.port]).toEqual(["http://localhost:4002", 4002]);
    expect(readConfig({ DATA_DIR: folder, API_PORT: "4003" }).api.url).toBe("http://localhost:4003");
  });

  test("may have equal ports for a command, which does not listen: addresses behind a proxy have none", () => {
    const hosts = { AUTH_URL: "https://login.example.org", BASE_URL: "https://api.example.org" };
    const env = { DATA_DIR: folder, APP_URL: "https://app.example.org", ...hosts };
    expect(() => readConfig(env)).toThrow("API_PORT: is the same as AUTH_PORT");
    expect(readConfig(env, { listens: false })).toMatchObject({
      auth: { url: hosts.AUTH_URL },
      api: { url: hosts.BASE_URL },
    });
    expect(() => readConfig({ ...env, TLS_CERT: "/nowhere" }, { listens: false })).toThrow("TLS_CERT");
  });

  test("generate secrets once, in a file readable by its owner only", () => {
    const first = readConfig({ DATA_DIR: folder });
    const file = path.join(folder, "secrets.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toContain(first.encryptionKeys[0]);
    const second = readConfig({ DATA_DIR: folder });
    expect(second.encryptionKeys).toEqual(first.encryptionKeys);
    expect(second.demoPassword()).toBe(first.demoPassword());
    expect(first.demoPassword()).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){2}$/);
  });

  test("generate no secret that is given", () => {
    const empty = path.join(folder, "untouched");
    readConfig({ DATA_DIR: empty, SESSION_SECRETS: GOOD_SECRET, ENCRYPTION_KEYS: GOOD_KEY });
    expect(existsSync(empty)).toBe(false);
  });

  test("are rejected with every mistake at once, each with its variable", () => {
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
      DRAIN_SECONDS: "soon",
      TLS_CERT: "/nowhere/cert.pem",
      RATE_LIMIT: "-3",
      OPERATOR_CONTACT: "http://plain.example/",
      NEW_APPLICATIONS: "perhaps",
      HOLD_NEW_VENUES: "some",
      LOG_LEVEL: "loud",
      MAX_FILE_MB: "200 MB",
      MAX_FILE_ROWS: "0",
      MAX_FILE_COLUMNS: "1.5",
      KEEP_FILES_DAYS: "13",
      MAP_TILES_URL: "https://tiles.example.org/",
      MAP_PMTILES: "package.json",
    });
    const named = problems.map((problem) => problem.split(/[: ]/)[0]);
    expect(new Set(named)).toEqual(
      new Set([
        ...["APP_URL", "AUTH_URL", "BASE_URL", "ROLES", "APP_PORT", "DATABASE_URL", "API_VERSION", "SESSION_SECRETS"],
        ...["ENCRYPTION_KEYS", "SAMPLE_DATA", "TRUST_PROXY", "TLS_CERT", "RATE_LIMIT", "LOG_LEVEL", "MAP_TILES_URL"],
        "MAP_PMTILES",
        ...[
          "OPERATOR_CONTACT",
          "NEW_APPLICATIONS",
          "HOLD_NEW_VENUES",
          "DRAIN_SECONDS",
          "MAX_FILE_MB",
          "MAX_FILE_ROWS",
          "MAX_FILE_COLUMNS",
          "KEEP_FILES_DAYS",
        ],
      ]),
    );
  });

  test.each([
    ["TRUST_PROXY", { TRUST_PROXY: "10.0.0.0/99" }],
    ["API_VERSION", { API_VERSION: "20269999" }],
    ["AUTH_URL", { AUTH_URL: "http://127.example.org" }],
    ["APP_PORT", { APP_URL: "http://localhost:5000", AUTH_URL: "http://localhost:5000" }],
    ["TLS_CERT", { TLS_CERT: "package.json", TLS_KEY: "package.json" }],
  ])("are rejected if %s cannot work", (variable, env) => {
    expect(problemsOf(env as Record<string, string>)).toEqual([expect.stringMatching(`^${variable}:`)]);
  });

  test("are rejected with the name of the missing half of a pair", () => {
    expect(problemsOf({ CLIENT_ID: "x" })).toEqual([expect.stringContaining("CLIENT_SECRET")]);
  });

  test("W08: require ADMINS with ADMIN_PASSWORD, which would otherwise be nobody's", () => {
    expect(problemsOf({ ADMIN_PASSWORD: "a long way from home" })).toEqual(["ADMINS: is required with ADMIN_PASSWORD"]);
  });

  test("count as not set if empty", () => {
    expect(readConfig({ DATA_DIR: folder, ADMINS: "", DATABASE_URL: "" })).toMatchObject({ admins: ["demo"] });
  });

  test.each([
    { SAMPLE_DATA: "off" },
    { ROLES: "app", CLIENT_ID: "x", CLIENT_SECRET: "y" },
    { DATABASE_URL: "postgresql://db/samespot" },
    { DATABASE_URL: "postgresql://db/samespot", SAMPLE_DATA: "on" },
  ])("W08: have no default admin with %o, where anyone may take the handle", (env) => {
    expect(readConfig({ DATA_DIR: folder, ...env })).toMatchObject({ admins: [], operators: [] });
  });

  test("are all listed in .env.example, together with those of compose.yaml and no others", () => {
    const documented = readFileSync(".env.example", "utf8").match(/(?<=^#?)[A-Z_]+(?==)/gm);
    const ofCompose = ["compose.yaml", "compose.scale.yaml"].flatMap(
      (file) => readFileSync(file, "utf8").match(/(?<=\$\{)[A-Z_]+/g) ?? [],
    );
    expect(new Set(documented)).toEqual(new Set([...settings, ...ofCompose]));
  });

  test.each(settings)("are all used: %s reaches the configuration", (name) => {
    expect(readFileSync("src/config/config.ts", "utf8")).toMatch(new RegExp(`\\bv\\.${name}\\b`));
  });
});
