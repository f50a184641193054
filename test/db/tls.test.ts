import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { generate } from "selfsigned";
import { afterAll, expect, test } from "vitest";
import { withDatabase } from "../../src/cli/with-directory.ts";
import { readConfig } from "../../src/config/config.ts";
import { connect } from "../../src/db/connections.ts";
import { openDatabase } from "../../src/db/database.ts";
import { startEmbedded } from "../../src/db/embedded/embedded.ts";
import { serverUser } from "../../src/db/embedded/user.ts";
import { migrate } from "../../src/db/migrate.ts";
import { openReplicas } from "../../src/db/replicas.ts";
import { separatePrograms } from "../../src/db/roles.ts";
import { lookAtReplicas } from "../../src/doctor/database.ts";
import { examine } from "../../src/doctor/doctor.ts";
import { createLogger } from "../../src/http/logger.ts";
import { startSamespot } from "../../src/main.ts";
import { runCommand } from "../../src/start/run-command.ts";
import { PRODUCTION } from "../support/production.ts";
import { dataFolder, freeAddresses } from "../support/samespot.ts";

const folder = dataFolder();
mkdirSync(folder, { recursive: true, mode: 0o755 });
const own = await certificate("localhost");
const server = await startEmbedded({
  dir: path.join(folder, "server"),
  settings: { ssl: "on", ssl_cert_file: own.cert, ssl_key_file: own.key, fsync: "off" },
});
afterAll(server.stop);

/** Makes an authority and a certificate of it for `name`. The key is readable by the server's user only. */
async function certificate(name: string) {
  const options = { keyType: "ec", algorithm: "sha256" } as const;
  const authority = await generate([{ name: "commonName", value: "authority" }], {
    ...options,
    extensions: [{ name: "basicConstraints", cA: true, critical: true }],
  });
  const made = await generate([{ name: "commonName", value: name }], {
    ...options,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: name }] }],
  });
  const files = {
    ca: path.join(folder, "ca.pem"),
    cert: path.join(folder, "cert.pem"),
    key: path.join(folder, "key.pem"),
  };
  for (const [file, text] of [
    [files.ca, authority.cert],
    [files.cert, made.cert],
    [files.key, made.private],
  ] as const)
    writeFileSync(file, text);
  chmodSync(files.key, 0o600);
  const user = serverUser(path.join(folder, "server", "pg"));
  if (user) chownSync(files.key, user.uid, user.gid);
  return files;
}

function addressOf(host: string, parameters: Record<string, string>): string {
  const url = new URL(server.url);
  url.hostname = host;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

const ENCRYPTED = `SELECT count(*)::int AS connections, bool_and(s.ssl) AS "areEncrypted"
  FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) WHERE a.application_name = 'samespot'`;

test("with sslmode=verify-full and an authority of one's own, the connections of both pools are encrypted", async () => {
  const url = addressOf("localhost", { sslmode: "verify-full", sslrootcert: own.ca });
  await migrate(url);
  const { app } = await separatePrograms(url);
  const database = openDatabase(app);
  await Promise.all([database.pool.query("SELECT 1"), database.prisma.account.count()]);
  const plain = await connect({ connectionString: server.url });
  const { rows } = await plain.query(ENCRYPTED);
  expect(rows).toEqual([{ connections: 2, areEncrypted: true }]);
  await plain.end();
  await database.close();
});

test.each([
  ["the authority is unknown", "localhost", {}],
  ["the certificate is for another name", "127.0.0.1", { sslrootcert: own.ca }],
])("with sslmode=verify-full, a server is refused if %s", async (_why, host, more) => {
  await expect(migrate(addressOf(host, { sslmode: "verify-full", ...more }))).rejects.toThrow(/certificate|altnames/i);
});

test.each([
  ["an unknown authority", "localhost", {}, "add sslrootcert=/path/to/authority.pem to DATABASE_URL"],
  ["another name", "127.0.0.1", { sslrootcert: own.ca }, "Serve a certificate for this name"],
  ["a file that is not there", "localhost", { sslrootcert: "/none.pem" }, "Correct the path of the file"],
])("F92: doctor: says of PostgreSQL's certificate what to do about %s", async (_what, host, more, advice) => {
  const url = addressOf(host, { sslmode: "verify-full", ...more });
  const findings = await examine(readConfig({ ...PRODUCTION, DATABASE_URL: url, DATA_DIR: folder }), url);
  const todo = expect.stringContaining(advice);
  expect(findings.find(({ name }) => name === "Database")).toMatchObject({ state: "problem", todo });
});

test.each(["DATABASE_URL", "DIRECT_DATABASE_URL"])(
  "F92: a command and a start say the same, of %s",
  async (setting) => {
    for (const [host, more, advice] of [
      ["localhost", {}, `add sslrootcert=/path/to/authority.pem to ${setting}`],
      ["127.0.0.1", { sslrootcert: own.ca }, "Serve a certificate for this name"],
      [
        "localhost",
        { sslrootcert: "/none.pem" },
        `Correct the path of the file (sslrootcert, sslcert or sslkey) in ${setting}`,
      ],
    ] as const) {
      const env = { DATABASE_URL: server.url, [setting]: addressOf(host, { sslmode: "verify-full", ...more }) };
      const config = readConfig({ ...env, ...(await freeAddresses()), DATA_DIR: folder });
      const said: string[] = [];
      const before = process.exitCode;
      for (const command of [
        () => withDatabase({ ...env, DATA_DIR: folder }, async () => {}),
        async () => void (await startSamespot(config, createLogger({ level: "silent" }))),
      ])
        await runCommand(command, (message) => said.push(message));
      process.exitCode = before;
      for (const words of said) expect(words).toContain(advice);
      expect(said).toHaveLength(2);
    }
  },
);

test("F92: the log says what to do about the certificate of a replica", async () => {
  const { pool, close } = openDatabase(server.url);
  const logged: string[] = [];
  const url = addressOf("localhost", { sslmode: "verify-full" });
  const replicas = openReplicas([url], { primary: pool, log: (message) => logged.push(message) });
  await expect.poll(() => logged.join()).toContain("add sslrootcert=/path/to/authority.pem to READ_DATABASE_URL");
  await replicas.close();
  await close();
});

test("F93: doctor: of a replica whose state PostgreSQL does not show, says who sees it, and is content", async () => {
  const query = async ({ text }: { text: string }) => ({
    rows: text.includes("pg_stat_replication") ? [{ name: "walreceiver", state: null, seconds: 0, at: null }] : [],
  });
  const client = { query } as unknown as pg.Client;
  expect(await lookAtReplicas(client)).toEqual([
    { name: "Replica walreceiver", state: "ok", words: expect.stringContaining("GRANT pg_monitor") },
  ]);
});
