import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import type pg from "pg";
import { connect } from "../../src/db/connections.ts";
import { migrate } from "../../src/db/migrate.ts";
import { freePort } from "../support/free-port.ts";
import { outputOf } from "./outside.ts";

const SCRIPTS = ["postgres/owner.sh", "postgres/servers.sh", "postgres/replica.sh", "pgbouncer/start.sh"];
const PASSWORDS = { POSTGRES_PASSWORD: "owner", SERVER_PASSWORD: "server", REPLICATION_PASSWORD: "replication" };
const AS_POSTGRES = ["--reuid=postgres", "--regid=postgres", "--clear-groups"];

/** Starts primary, replica and PgBouncer with the files of deploy/, as compose.scale.yaml does, and uses them. */
export async function testDatabases(): Promise<void> {
  const folder = mkdtempSync("/tmp/samespot-deployment-");
  const running: ChildProcess[] = [];
  try {
    chmodSync(folder, 0o777);
    for (const script of SCRIPTS) cpSync(path.join("deploy", script), path.join(folder, path.basename(script)));
    await use(await start(folder, running));
  } finally {
    for (const child of running.toReversed()) await end(child);
    rmSync(folder, { recursive: true, force: true });
    rmSync("/tmp/pgbouncer-users.txt", { force: true });
  }
}

async function start(folder: string, running: ChildProcess[]) {
  const [primary, replica, pooler] = [await freePort(), await freePort(), await freePort()];
  const bin = path.dirname(globSync("/usr/lib/postgresql/*/bin/initdb").sort().at(-1) ?? "");
  const common = { ...PASSWORDS, PATH: `${bin}:${process.env.PATH}`, PGHOST: folder, PGPORT: String(primary) };
  const env = { ...common, PGDATA: `${folder}/primary` };
  const spawned = (program: string, args: string[], more: Record<string, string> = {}) =>
    running.push(
      spawn("setpriv", [...AS_POSTGRES, program, ...args], {
        env: { ...env, ...more },
        stdio: ["ignore", "ignore", "inherit"],
      }),
    );
  const run = (...command: string[]) => outputOf("setpriv", [...AS_POSTGRES, ...command], env);
  const own = (port: number) => ["-p", `${port}`, "-k", folder, "-c", "fsync=off", "-c", "log_min_messages=panic"];

  run("initdb", "--username=postgres", "--auth-local=trust", "--auth-host=scram-sha-256", "--no-sync");
  spawned("postgres", own(primary));
  await until(() => run("pg_isready"));
  run("sh", `${folder}/owner.sh`);
  run("sh", `${folder}/servers.sh`);
  run("pg_ctl", "reload");
  spawned("sh", [`${folder}/replica.sh`, ...own(replica)], {
    ...{ PGDATA: `${folder}/replica`, PGPASSWORD: PASSWORDS.REPLICATION_PASSWORD },
    ...{ PRIMARY_HOST: "127.0.0.1", PRIMARY_PORT: String(primary) },
  });
  spawned("sh", [`${folder}/start.sh`, "--quiet", poolerSettings(folder, primary, pooler)]);
  const address = (user: string, password: string, port: number) =>
    `postgresql://${user}:${password}@127.0.0.1:${port}/samespot`;
  return {
    owner: address("samespot", PASSWORDS.POSTGRES_PASSWORD, primary),
    pooled: address("samespot_server", PASSWORDS.SERVER_PASSWORD, pooler),
    replica: address("samespot_server", PASSWORDS.SERVER_PASSWORD, replica),
  };
}

/** Debian 12 has PgBouncer 1.18, which does not know max_prepared_statements. */
function poolerSettings(folder: string, primary: number, port: number): string {
  const [, minor = 0] = /PgBouncer 1\.(\d+)/.exec(outputOf("pgbouncer", ["--version"])) ?? [];
  const settings = readFileSync("deploy/pgbouncer/pgbouncer.ini", "utf8")
    .replace("host=primary port=5432", `host=127.0.0.1 port=${primary}`)
    .replace("listen_port = 6432", `listen_port = ${port}`)
    .replace(Number(minor) < 21 ? /^max_prepared_statements.*$/m : "", "");
  const file = path.join(folder, "pgbouncer.ini");
  writeFileSync(file, settings);
  return file;
}

async function use({ owner, pooled, replica }: { owner: string; pooled: string; replica: string }): Promise<void> {
  await migrate(owner);
  const superuser = "SELECT rolsuper OR rolcreaterole AS mighty FROM pg_roles WHERE rolname = current_user";
  assert.deepEqual(await ask(owner, superuser), [{ mighty: false }]);
  // As separatePrograms() grants at a start (test/db/roles.test.ts).
  await ask(owner, "GRANT USAGE ON SCHEMA app TO samespot_app; GRANT SELECT, INSERT ON app.vault_key TO samespot_app");
  assert.deepEqual(await ask(pooled, superuser), [{ mighty: false }]);
  await assert.rejects(ask(pooled, "CREATE TABLE app.mine ()"), /permission denied/);
  await ask(pooled, "INSERT INTO app.vault_key (id) VALUES ('\\x01020304')");
  await until(async () =>
    assert.deepEqual(await ask(replica, "SELECT pg_is_in_recovery() AS reads, count(*)::int FROM app.vault_key"), [
      { reads: true, count: 1 },
    ]),
  );
}

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client: pg.Client = await connect({ connectionString: url });
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Repeats what throws, for twenty seconds. */
async function until(work: () => unknown): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (tried === 100) throw error;
      await after(200);
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGINT"); // a fast shutdown of PostgreSQL
  await ended;
}
