import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import type pg from "pg";
import { connectBare } from "../../src/db/connections.ts";
import { migrate } from "../../src/db/migrate.ts";
import { freePort } from "../support/free-port.ts";
import { outputOf } from "./outside.ts";

const SCRIPTS = [
  "postgres/owner.sh",
  "postgres/servers.sh",
  "postgres/replica.sh",
  "pgbouncer/start.sh",
  "pgbouncer/failover.sh",
];
const PASSWORDS = { POSTGRES_PASSWORD: "owner", SERVER_PASSWORD: "server", REPLICATION_PASSWORD: "replication" };
const AS_POSTGRES = ["--reuid=postgres", "--regid=postgres", "--clear-groups"];

type Env = Record<string, string>;
type Databases = Awaited<ReturnType<typeof start>>;

/** Starts primary, replica and PgBouncer with the files of deploy/, as compose.scale.yaml does, uses them, and fails over. */
export async function testDatabases(): Promise<void> {
  const folder = mkdtempSync("/tmp/samespot-deployment-");
  const running: ChildProcess[] = [];
  try {
    chmodSync(folder, 0o777);
    for (const script of SCRIPTS) cpSync(path.join("deploy", script), path.join(folder, path.basename(script)));
    const databases = await start(folder, running);
    await use(databases);
    await failOver(databases);
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
  const spawned = (program: string, args: string[], more: Env = {}) => {
    const child = spawn("setpriv", [...AS_POSTGRES, program, ...args], {
      env: { ...env, ...more },
      stdio: ["ignore", "ignore", "inherit"],
    });
    running.push(child);
    return child;
  };
  const run = (command: string[], more: Env = {}) =>
    outputOf("setpriv", [...AS_POSTGRES, ...command], { ...env, ...more });
  const own = (port: number) => ["-p", `${port}`, "-k", folder, "-c", "fsync=off", "-c", "log_min_messages=panic"];

  run(["initdb", "--username=postgres", "--auth-local=trust", "--auth-host=scram-sha-256", "--no-sync"]);
  const first = spawned("postgres", own(primary));
  await until(() => run(["pg_isready"]));
  run(["sh", `${folder}/owner.sh`]);
  run(["sh", `${folder}/servers.sh`]);
  run(["pg_ctl", "reload"]);
  const startReplica = () =>
    spawned("sh", [`${folder}/replica.sh`, ...own(replica)], {
      ...{ PGDATA: `${folder}/replica`, PGPASSWORD: PASSWORDS.REPLICATION_PASSWORD },
      ...{ PRIMARY_HOST: "127.0.0.1", PRIMARY_PORT: String(primary) },
    });
  const ofPooler = {
    PGBOUNCER_INI: `${folder}/pgbouncer.ini`,
    PGBOUNCER_CONSOLE: `host=/tmp port=${pooler} user=pgbouncer dbname=pgbouncer`,
  };
  const second = startReplica();
  spawned("sh", [`${folder}/start.sh`, poolerSettings(folder, primary, pooler)], {
    ...ofPooler,
    PRIMARY_HOST: "127.0.0.1",
  });
  const address = (user: string, password: string, port: number) =>
    `postgresql://${user}:${password}@127.0.0.1:${port}/samespot`;
  return {
    owner: address("samespot", PASSWORDS.POSTGRES_PASSWORD, primary),
    pooled: address("samespot_server", PASSWORDS.SERVER_PASSWORD, pooler),
    replica: address("samespot_server", PASSWORDS.SERVER_PASSWORD, replica),
    ...{ first, second, startReplica },
    failover: () =>
      run(["sh", `${folder}/failover.sh`, "127.0.0.1", `${replica}`], {
        ...{ ...ofPooler, PGUSER: "samespot", PGPASSWORD: PASSWORDS.POSTGRES_PASSWORD },
      }),
  };
}

/** Debian 12 has PgBouncer 1.18, which does not know max_prepared_statements. */
function poolerSettings(folder: string, primary: number, port: number): string {
  const [, minor = 0] = /PgBouncer 1\.(\d+)/.exec(outputOf("pgbouncer", ["--version"])) ?? [];
  const settings = readFileSync("deploy/pgbouncer/pgbouncer.ini", "utf8")
    .replace("port=5432", `port=${primary}`)
    .replace("listen_port = 6432", `listen_port = ${port}`)
    .replace(Number(minor) < 21 ? /^max_prepared_statements.*$/m : "", "");
  const file = path.join(folder, "pgbouncer.template.ini");
  writeFileSync(file, settings);
  return file;
}

async function use({ owner, pooled, replica }: Databases): Promise<void> {
  await migrate(owner);
  const superuser = "SELECT rolsuper OR rolcreaterole AS mighty FROM pg_roles WHERE rolname = current_user";
  assert.deepEqual(await ask(owner, superuser), [{ mighty: false }]);
  // As separatePrograms() grants at a start (test/db/roles.test.ts).
  await ask(owner, "GRANT USAGE ON SCHEMA app TO samespot_app; GRANT SELECT, INSERT ON app.vault_key TO samespot_app");
  assert.deepEqual(await ask(pooled, superuser), [{ mighty: false }]);
  await assert.rejects(ask(pooled, "CREATE TABLE app.mine ()"), /permission denied/);
  await ask(pooled, "INSERT INTO app.vault_key (id) VALUES ('\\x01020304')");
  await until(async () => assert.deepEqual(await ask(replica, KEYS), [{ reads: true, count: 1 }]));
}

const KEYS = "SELECT pg_is_in_recovery() AS reads, count(*)::int FROM app.vault_key";

/** The primary is killed. The replica, once promoted, keeps its rows when it is started again, as by a restart of its container. */
async function failOver({ pooled, first, second, startReplica, failover }: Databases): Promise<void> {
  first.kill("SIGKILL");
  await until(() => assert.rejects(ask(pooled, KEYS)));
  failover();
  await ask(pooled, "INSERT INTO app.vault_key (id) VALUES ('\\x05060708')");
  await end(second);
  startReplica();
  await until(async () => assert.deepEqual(await ask(pooled, KEYS), [{ reads: false, count: 2 }]));
}

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client: pg.Client = await connectBare({ connectionString: url });
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
