import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, request as forward, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { generate } from "selfsigned";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { connect } from "../../src/db/connections.ts";
import { startEmbedded } from "../../src/db/embedded/embedded.ts";
import { wrongSettings } from "../../src/db/server-settings.ts";
import { compareClocks } from "../../src/doctor/database.ts";
import { examine, lookAtConfig, lookAtNode, lookAtSpace } from "../../src/doctor/doctor.ts";
import { randomToken } from "../../src/shared/crypto.ts";
import type { Finding } from "../../src/shared/finding.ts";
import { isEnding } from "../../src/web/admin/checks.ts";
import { testDatabase } from "../support/database/database.ts";
import { forgetNewestMigration } from "../support/database/history.ts";
import { freePort } from "../support/free-port.ts";
import { PRODUCTION } from "../support/production.ts";
import { dataFolder, freeAddresses, spawnSamespot, startSamespot } from "../support/samespot.ts";
import { runCommand, spawnCommand } from "./samespot-command.ts";

const folder = dataFolder();
mkdirSync(folder, { recursive: true });
const secrets = { ENCRYPTION_KEYS: randomToken(), SESSION_SECRETS: randomToken() };
const { url, database } = await testDatabase();

async function commanded(env: Record<string, string>) {
  const all = { DATA_DIR: folder, DATABASE_URL: url, ...secrets, ...env };
  const { code, stdout } = await runCommand(all, ["doctor", "--json"]);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  expect(code).toBe(findings.some(({ state }) => state === "problem") ? 1 : 0);
  return { stdout, ...byName(findings) };
}

async function examined(env: Record<string, string>) {
  const all = { DATA_DIR: folder, DATABASE_URL: url, ...PRODUCTION, ...secrets, ...env };
  return byName(await examine(readConfig(all), all.DATABASE_URL));
}

function byName(findings: Finding[]) {
  for (const each of findings) expect(each.todo === undefined).toBe(each.state === "ok");
  return { findings, get: (name: string) => findings.find((each) => each.name === name) };
}

const problem = (words: string) => expect.objectContaining({ state: "problem", words: expect.stringContaining(words) });
const warning = (words: string) => expect.objectContaining({ state: "warning", words: expect.stringContaining(words) });

test("doctor: finds nothing wrong with a fresh Samespot on its embedded database, and prints no secret", async () => {
  const [dataDir, addresses] = [dataFolder(), await freeAddresses()];
  const running = await spawnSamespot({ env: { ...addresses, ...secrets, SAMPLE_DATA: "off" }, dataDir });
  onTestFinished(async () => void (await running.kill("SIGTERM")));
  const env = { ...addresses, ...secrets, DATA_DIR: dataDir };
  await runCommand(env, ["backup", path.join(dataDir, "one")]);
  const { code, stdout } = await runCommand({ ...env, ADMINS: "ada" }, ["doctor"]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/0 problems, 0 warnings\.\n$/)]);
  expect(stdout.match(/^ok /gm)?.length).toBeGreaterThan(20);
  for (const secret of Object.values(secrets)) expect(stdout).not.toContain(secret);
});

test("doctor: lists every wrong setting", async () => {
  const { findings } = await commanded({ APP_URL: "http://samespot.example.org", LOG_LEVEL: "loud" });
  expect(findings.map(({ words }) => words.split(":")[0])).toEqual(["APP_URL", "LOG_LEVEL"]);
});

test("doctor: warns of settings that do not suit a public address", () => {
  const at = (port: number) => `https://samespot.example:${port}`;
  const hosts = { APP_URL: at(3000), AUTH_URL: at(3001), BASE_URL: at(3002) };
  const warned = (env: Record<string, string>) =>
    lookAtConfig(readConfig({ ...hosts, ...secrets, DATA_DIR: folder, ...env })).map(({ name }) => name);
  expect(warned({})).toEqual(["SAMPLE_DATA", "NODE_ENV", "DATABASE_URL"]);
  expect(warned({ NODE_ENV: "production", DATABASE_URL: url })).toEqual(["ADMINS"]);
  expect(warned({ NODE_ENV: "production", DATABASE_URL: url, ADMINS: "ada" })).toEqual(["Settings"]);
});

test("doctor: makes no database where there is none", async () => {
  const { stdout, code } = await spawnCommand({ DATA_DIR: dataFolder(), ...secrets }, ["doctor"]).ended;
  expect([code, stdout]).toEqual([0, expect.stringContaining("There is none yet in")]);
});

test("doctor: reports a database that does not answer or refuses, without its password", async () => {
  const closed = await commanded({ DATABASE_URL: `postgresql://me:hunter2@127.0.0.1:${await freePort()}/x` });
  expect(closed.get("Database")).toEqual(problem("It cannot be used (ECONNREFUSED)"));
  const wrong = new URL(url);
  wrong.password = "hunter2";
  const refused = await commanded({ DATABASE_URL: wrong.href });
  expect(refused.get("Database")).toEqual(problem("(28P01)"));
  expect(closed.stdout + refused.stdout).not.toContain("hunter2");
});

test("doctor: reports an old Node.js, little space and clocks that differ", async () => {
  expect(lookAtNode("22.19.0")).toEqual(problem("22.19.0 is too old."));
  const huge = 2 ** 60;
  expect(await lookAtSpace(folder, { problem: 0, warning: huge })).toEqual([warning("GB free"), warning("GB free")]);
  expect(await lookAtSpace(path.join(folder, "not/yet"), { problem: huge, warning: huge })).toEqual([
    problem("GB free"),
    problem("GB free"),
  ]);
  expect([0, 6000, -6000, 3_600_000].map((apart) => compareClocks("Clock", apart).state)).toEqual([
    "ok",
    "warning",
    "warning",
    "problem",
  ]);
});

test("doctor: reports settings of a database server that lose data or do not suffice", async () => {
  const server = await startEmbedded({
    dir: path.join(folder, "server"),
    settings: {
      fsync: "off",
      full_page_writes: "off",
      synchronous_commit: "off",
      autovacuum: "off",
      track_counts: "off",
      max_connections: "30",
      ...{ enable_nestloop: "off", transaction_timeout: "1h", log_error_verbosity: "default" },
      ...{ log_min_duration_statement: "0", log_parameter_max_length: "-1" },
    },
  });
  onTestFinished(server.stop);
  await runCommand({ DATABASE_URL: server.url, DATA_DIR: folder, ...secrets }, ["migrate"]);
  const other = await connect({ connectionString: server.url });
  await other.query("SELECT pg_create_physical_replication_slot('gone', true); DROP EXTENSION pg_trgm CASCADE");
  await other.end();
  const { get } = await examined({ DATABASE_URL: server.url });
  for (const name of ["fsync", "full_page_writes", "synchronous_commit", "autovacuum", "track_counts"])
    expect(get(name)).toEqual(problem("Off"));
  expect(get("enable_nestloop")).toEqual(warning("Off: plans are worse"));
  expect(get("transaction_timeout")).toEqual(warning("are ended"));
  expect(get("log_error_verbosity")).toEqual(warning("quotes rows"));
  expect(get("log_parameter_max_length")).toEqual(warning("Statements are logged with their values"));
  expect(get("Settings of connections")).toMatchObject({ state: "ok" });
  expect(get("Database connections")).toEqual(warning("may open 45"));
  expect(get("pg_trgm")).toEqual(warning("Not installed"));
  expect(get("Replication slot gone")).toEqual(problem("Nobody reads it"));
});

test("doctor: reports a database not in UTF-8, in which a start makes nothing, and one that knows no capitals but A to Z", async () => {
  const admin = await connect({ connectionString: url });
  const made = async (more: string) => {
    const address = new URL(url);
    address.pathname = `${admin.database}_text`;
    const name = admin.escapeIdentifier(address.pathname.slice(1));
    await admin.query(`CREATE DATABASE ${name} TEMPLATE template0 LOCALE 'C' LOCALE_PROVIDER libc ${more}`);
    const { get } = await examined({ DATABASE_URL: address.href });
    const { stderr } = await runCommand({ DATABASE_URL: address.href, DATA_DIR: folder, ...secrets }, ["migrate"]);
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    return [get("Text in the database"), stderr];
  };
  const ascii = await made("ENCODING 'SQL_ASCII'");
  const plain = await made("ENCODING 'UTF8'");
  await admin.end();
  expect(ascii).toEqual([problem("Its encoding is SQL_ASCII"), expect.stringContaining("Samespot needs UTF8")]);
  expect(plain).toEqual([warning("no capitals but A to Z"), expect.not.stringContaining("UTF8")]);
});

test("doctor: what only an operator can set is wrong exactly where it harms", () => {
  const wrong = (settings: Record<string, string>, venues = 1_000_000) =>
    wrongSettings({ setting: (name) => settings[name], venues }).map(({ name }) => name);
  const fine = {
    log_error_verbosity: "terse",
    log_parameter_max_length: "-1",
    log_statement: "none",
    shared_buffers: "65536",
  };
  expect(wrong({ ...fine, log_min_duration_statement: "-1", transaction_timeout: "0", enable_sort: "on" })).toEqual([]);
  for (const [name, value] of Object.entries({
    log_statement: "mod",
    log_min_duration_statement: "0",
    log_min_duration_sample: "9",
  }))
    expect(wrong({ ...fine, [name]: value })).toEqual(["log_parameter_max_length"]);
  expect(wrong({ ...fine, log_parameter_max_length: "0", log_statement: "all" })).toEqual([]);
  expect(wrong({ default_transaction_read_only: "on" })).toEqual(["default_transaction_read_only"]);
  expect(wrong({ shared_buffers: "16384" })).toEqual(["shared_buffers"]);
  expect(wrong({ shared_buffers: "16384" }, 1000)).toEqual([]);
});

describe("the data", () => {
  const sql = (text: string) => database.pool.query(text);

  test("doctor: reports keys that are missing, by id", async () => {
    await sql("INSERT INTO app.vault_key (id) VALUES ('\\x01020304')");
    expect((await examined({})).get("Encryption keys")).toEqual(
      problem("ENCRYPTION_KEYS lacks 01020304 (0 values in the app)."),
    );
    await sql("DELETE FROM app.vault_key");
    expect((await examined({})).get("Encryption keys")).toMatchObject({ state: "ok" });
  });

  test("doctor: reports that no process, no worker or a stuck one runs, and two versions", async () => {
    expect((await examined({})).get("Processes")).toEqual(warning("None runs"));
    const add = (host: string, version: string, problems: string) =>
      sql(
        `INSERT INTO app.instance (id, host, version, roles, problems) VALUES (gen_random_uuid(), '${host}', '${version}', '{app}', '${problems}')`,
      );
    await add("one", "1.0.0", "{}");
    await add("two", "2.0.0", '{"{\\"code\\": \\"worker_idle\\", \\"seconds\\": 99}"}');
    const { get } = await examined({});
    expect(get("Worker")).toEqual(problem("None runs: files are not matched."));
    expect(get("Process one")).toMatchObject({ state: "ok" });
    expect(get("Process two")).toEqual(problem("worker_idle"));
    expect(get("Versions")).toEqual(warning("Processes run 1.0.0 and 2.0.0."));
  });

  test("doctor: reports tasks that wait for long", async () => {
    await sql(`CREATE TABLE pgboss.job (state text, created_on timestamptz, start_after timestamptz);
      INSERT INTO pgboss.job SELECT 'a', now() - interval '1 hour', now() - interval '1 hour' FROM generate_series(1, 3)`);
    expect((await examined({})).get("Queue")).toEqual(warning("3 tasks wait, the oldest for 36"));
    await sql("DROP TABLE pgboss.job");
  });

  test("doctor: reports that there is no backup, or an old one", async () => {
    expect((await examined({})).get("Last backup")).toEqual(warning("None by samespot backup."));
    await runCommand({ DATABASE_URL: url, DATA_DIR: folder, ...secrets }, ["backup", path.join(folder, "now")]);
    expect((await examined({})).get("Last backup")).toMatchObject({ state: "ok" });
    await sql("UPDATE directory.setup_step SET done_at = now() - interval '9 days' WHERE name = 'backup'");
    expect((await examined({})).get("Last backup")).toEqual(warning("9 days ago."));
  });

  test("doctor: reports a schema that is older, newer, absent or half restored", async () => {
    const empty = await testDatabase({ template: "none" });
    expect((await examined({ DATABASE_URL: empty.url })).get("Schema")).toEqual(warning("The database is empty."));
    const { url, database } = await testDatabase();
    const history = (text: string) => database.pool.query(text);
    const missing = await forgetNewestMigration(database.pool);
    expect((await examined({ DATABASE_URL: url })).get("Schema")).toEqual(warning(`Not applied yet: ${missing}.`));
    const add = (name: string, at: string) =>
      history(
        `INSERT INTO public._prisma_migrations (id, checksum, finished_at, migration_name) VALUES ('${name}', '', ${at}, '${name}')`,
      );
    await add("2999_later", "now()");
    expect((await examined({ DATABASE_URL: url })).get("Schema")).toEqual(
      problem("Newer than this program: 2999_later."),
    );
    await add("a restore", "NULL");
    expect((await examined({ DATABASE_URL: url })).get("Schema")).toEqual(problem("has not ended"));
  });
});

describe("the addresses", async () => {
  const samespot = await startSamespot({ template: "empty", env: secrets });
  const here = {
    ...secrets,
    DATABASE_URL: samespot.config.databaseUrl ?? "",
    APP_URL: samespot.webUrl,
    AUTH_URL: samespot.authUrl,
    BASE_URL: samespot.apiUrl,
  };
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    ...{ keyType: "ec", algorithm: "sha256" },
    ...{ notBeforeDate: new Date(Date.now() - 81 * 86_400_000), notAfterDate: new Date(Date.now() + 9.5 * 86_400_000) },
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
  });
  const options = { keyType: "ec", algorithm: "sha256" } as const;
  const company = await generate([{ name: "commonName", value: "Company" }], {
    ...options,
    extensions: [{ name: "basicConstraints", cA: true, critical: true }],
  });
  const trusted = path.join(folder, "ca.pem");
  writeFileSync(trusted, `${cert}\n${company.cert}`);

  async function serving(listener: RequestListener, tls?: { cert: string; key: string }): Promise<string> {
    const server = tls ? createSecureServer(tls, listener) : createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    afterAll(() => void server.close());
    return `http${tls ? "s" : ""}://localhost:${(server.address() as AddressInfo).port}`;
  }

  test("doctor: reports an address where nothing or something else answers", async () => {
    const other = await serving((_request, reply) => void reply.end("<h1>It works!</h1>"));
    const { get } = await examined({ ...here, APP_URL: `http://localhost:${await freePort()}`, BASE_URL: other });
    expect(get("APP_URL")).toEqual(problem("does not answer (ECONNREFUSED)"));
    expect(get("BASE_URL")).toEqual(problem("Something else than Samespot answers"));
    expect(get("AUTH_URL")).toMatchObject({ state: "ok" });
    expect(get("Metadata of the directory")).toMatchObject({ state: "ok" });
  });

  test("doctor: reports a redirect URI that is not registered", async () => {
    expect((await examined(here)).get("Redirect URI")).toMatchObject({ state: "ok" });
    const APP_URL = "http://samespot.localhost:8080";
    expect((await examined({ ...here, APP_URL })).get("Redirect URI")).toEqual(
      problem(`refuses ${APP_URL}/login/callback`),
    );
  });

  test("F94: doctor: a directory that cannot answer, as while its writes fail, is not said to refuse the redirect URI", async () => {
    for (const status of [500, 502, 503, 504]) {
      const AUTH_URL = await serving((_request, reply) => void reply.writeHead(status).end("{}"));
      const { get } = await examined({ ...here, AUTH_URL });
      expect(get("Redirect URI")).toEqual(
        problem(`It could not be checked: the directory answers a log-in with ${status}.`),
      );
    }
  });

  test("doctor: reports metadata of another issuer, a wrong clock and a host that is not ready", async () => {
    const AUTH_URL = await serving((_request, reply) => {
      reply.setHeader("date", new Date(Date.now() - 3_600_000).toUTCString());
      reply.end(
        JSON.stringify({
          issuer: "https://elsewhere.example",
          status: "not ready",
          problems: ["database does not answer"],
        }),
      );
    });
    const { get } = await examined({ ...here, AUTH_URL });
    expect(get("Metadata of the directory")).toEqual(problem("Its issuer is https://elsewhere.example, not AUTH_URL."));
    expect(get("Clock at AUTH_URL")).toEqual(problem("s apart from this machine's"));
    expect(get("AUTH_URL")).toEqual(problem("Not ready: database does not answer."));
  });

  test("doctor: reports a certificate that ends soon, has ended or is not trusted", async () => {
    const soon = await serving((_request, reply) => void reply.end("{}"), { cert, key });
    const line = async (env: Record<string, string>) =>
      (await commanded({ ...here, APP_URL: soon, ...env })).get("Certificate of APP_URL");
    expect(await line({ NODE_EXTRA_CA_CERTS: trusted })).toEqual(warning("9 days left."));
    expect(await line({})).toEqual(problem("It is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)."));
    const ended = await generate([{ name: "commonName", value: "localhost" }], {
      notAfterDate: new Date(Date.now() - 5.5 * 86_400_000),
      notBeforeDate: new Date(0),
    });
    const APP_URL = await serving((_request, reply) => void reply.end("{}"), { cert: ended.cert, key: ended.private });
    expect(await line({ APP_URL })).toEqual(problem("It expired 6 days ago."));
  });

  test("F92: doctor: says at each address, ours or another's, what makes a private authority trusted, and does with it", async () => {
    const of = await generate([{ name: "commonName", value: "localhost" }], {
      ...options,
      ca: { key: company.private, cert: company.cert },
      extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
    });
    const advice = expect.stringContaining("set NODE_EXTRA_CA_CERTS to");
    for (const served of [
      { cert: of.cert, key: of.private },
      { cert: `${of.cert}\n${company.cert}`, key: of.private },
      { cert, key },
    ]) {
      const at = () => serving((_request, reply) => void reply.end('{"status": "ready"}'), served);
      const hosts = { APP_URL: await at(), AUTH_URL: await at(), BASE_URL: await at() };
      for (const ROLES of ["app,directory", "app"]) {
        const { findings, get } = await commanded({ ...here, ...hosts, ROLES });
        for (const name of Object.keys(hosts)) {
          expect(get(name)).toMatchObject({ state: "problem", todo: advice });
          expect(get(`Certificate of ${name}`)).toMatchObject({ state: "problem", todo: advice });
        }
        for (const { words, todo } of findings)
          if (words.includes("trusted")) expect(todo).not.toMatch(/public authority|DNS|firewall/);
      }
    }
    const APP_URL = await serving((_request, reply) => void reply.end("{}"), { cert: of.cert, key: of.private });
    const { get } = await commanded({ ...here, APP_URL, NODE_EXTRA_CA_CERTS: trusted });
    expect(get("Certificate of APP_URL")).toMatchObject({ state: "ok" });
    const name = await commanded({
      ...here,
      APP_URL: APP_URL.replace("localhost", "127.0.0.1"),
      NODE_EXTRA_CA_CERTS: trusted,
    });
    expect(name.get("Certificate of APP_URL")).toMatchObject({ todo: expect.stringContaining("for this name") });
  });

  test.each([
    ["24 hours", 24],
    ["6 days", 6 * 24],
    ["7 days", 7 * 24],
    ["90 days", 90 * 24],
    ["a year", 365 * 24],
  ])(
    "F93: doctor: a certificate of %s is fine until it should have been renewed, and is reported then",
    (_life, hours) => {
      const [from, to] = [new Date(0), new Date(hours * 3_600_000)];
      const at = (share: number) => isEnding(from, to, (1 - share) * to.getTime());
      expect([1, 0.5, 0.34, 0.21].map(at)).toEqual([false, false, false, false]);
      expect([0.05, 0.01, 0].map(at)).toEqual([true, true, true]);
    },
  );

  test("doctor: reports a proxy that does not say https, or that TRUST_PROXY does not name", async () => {
    const APP_PORT = String(await freePort());
    let more: Record<string, string> = {};
    const APP_URL = await serving(
      ({ url, headers }, reply) => {
        const options = { port: APP_PORT, path: url, headers: { ...headers, ...more } };
        forward(options, (answer) => void answer.pipe(reply.writeHead(answer.statusCode ?? 0, answer.headers))).end();
      },
      { cert, key },
    );
    const TOLD = { "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9" };
    const proxyLine = async () =>
      (await commanded({ ...here, APP_URL, NODE_EXTRA_CA_CERTS: trusted })).get("Proxy of APP_URL");
    for (const [TRUST_PROXY, told] of [
      ["127.0.0.1,::1", { https: [TOLD, "ok"], nothing: [{}, "problem"] }],
      ["192.0.2.1", { https: [TOLD, "problem"] }],
    ] as const) {
      const app = await startSamespot({
        template: "empty",
        env: { ...here, ROLES: "app", APP_URL, APP_PORT, TRUST_PROXY },
      });
      for (const [what, [headers, state]] of Object.entries(told)) {
        more = headers;
        expect([TRUST_PROXY, what, await proxyLine()]).toEqual([TRUST_PROXY, what, expect.objectContaining({ state })]);
      }
      await app.close();
    }
  });
});
