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
    await failOver(databases, await loseReplica(databases));
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
    ownerAtReplica: address("samespot", PASSWORDS.POSTGRES_PASSWORD, replica),
    ...{ first, second, startReplica },
    failover: () =>
      run(["sh", `${folder}/failover.sh`, "127.0.0.1", `${replica}`], {
        ...{ ...ofPooler, PGUSER: "samespot", PGPASSWORD: PASSWORDS.POSTGRES_PASSWORD },
      }),
  };
}

function poolerSettings(folder: string, primary: number, port: number): string {
  const settings = readFileSync("deploy/pgbouncer/pgbouncer.ini", "utf8")
    .replace("port=5432", `port=${primary}`)
    .replace("listen_port = 6432", `listen_port = ${port}`);
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
  await ask(pooled, addKey("01020304"));
  await until(async () => assert.deepEqual(await ask(replica, KEYS), [{ reads: true, count: 1 }]));
}

const KEYS = "SELECT pg_is_in_recovery() AS reads, count(*)::int FROM app.vault_key";
const addKey = (id: string) => `INSERT INTO app.vault_key (id) VALUES ('\\x${id}')`;

/** Writes go on without the replica, which gets them later. Returns it, running again. */
async function loseReplica({ pooled, replica, second, startReplica }: Databases): Promise<ChildProcess> {
  await end(second);
  await ask(pooled, addKey("05060708"));
  const again = startReplica();
  await until(async () => assert.deepEqual(await ask(replica, KEYS), [{ reads: true, count: 2 }]));
  return again;
}

/**
 * The primary is killed. The replica, which would wait for one of its own, waits for none once promoted, and keeps its rows when it is
 * started again, as by a restart of its container.
 */
async function failOver(databases: Databases, second: ChildProcess): Promise<void> {
  const { pooled, ownerAtReplica, first, startReplica, failover } = databases;
  await ask(ownerAtReplica, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await ask(ownerAtReplica, "SELECT pg_reload_conf()");
  first.kill("SIGKILL");
  // Refused, or left waiting: PgBouncer refuses from the first connection on that has failed.
  await assert.rejects(ask(pooled, KEYS));
  failover();
  await ask(pooled, addKey("090a0b0c"));
  await end(second);
  startReplica();
  await until(async () => assert.deepEqual(await ask(pooled, KEYS), [{ reads: false, count: 3 }]));
}

const ANSWER_MS = 3000;

/** Throws if the answer takes longer, such as at a pooler that waits for a server, or at a commit that waits for a replica. */
async function ask(url: string, sql: string): Promise<unknown[]> {
  const limits = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
  const client: pg.Client = await connectBare({ connectionString: url, ...limits });
  try {
    return (await client.query(sql)).rows;
  } catch (error) {
    throw new Error(`${sql}: ${error instanceof Error ? error.message : error}`);
  } finally {
    await client.end();
  }
}

/** Repeats what throws, for twenty seconds. */
async function until(work: () => unknown): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
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
