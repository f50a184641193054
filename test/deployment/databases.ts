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
/** Their names in compose.scale.yaml. */
const REPLICAS = ["replica", "replica_2"] as const;
/** What docs/scaling.md has the primary wait for. */
const OF_TWO = `ANY 1 (${REPLICAS})`;
const AS_POSTGRES = ["--reuid=postgres", "--regid=postgres", "--clear-groups"];

type Env = Record<string, string>;
type Databases = Awaited<ReturnType<typeof start>>;

/** Starts primary, two replicas and PgBouncer with the files of deploy/, as compose.scale.yaml does, uses them, and fails over. */
export async function testDatabases(): Promise<void> {
  const folder = mkdtempSync("/tmp/samespot-deployment-");
  const running: ChildProcess[] = [];
  try {
    chmodSync(folder, 0o777);
    for (const script of SCRIPTS) cpSync(path.join("deploy", script), path.join(folder, path.basename(script)));
    const databases = await start(folder, running);
    await use(databases);
    await loseReplicas(databases);
    await failOver(databases);
  } finally {
    for (const child of running.toReversed()) await end(child);
    rmSync(folder, { recursive: true, force: true });
    rmSync("/tmp/pgbouncer-users.txt", { force: true });
  }
}

async function start(folder: string, running: ChildProcess[]) {
  const [primary, pooler] = [await freePort(), await freePort()];
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
  const address = (user: string, password: string, port: number) =>
    `postgresql://${user}:${password}@127.0.0.1:${port}/samespot`;
  const asSuperuser = (sql: string, port = primary) => run(["psql", "-qU", "postgres", "-p", `${port}`, "-c", sql]);
  const replicaAt = (name: string, port: number) => {
    let child: ChildProcess | undefined;
    return {
      ...{ port, url: address("samespot_server", PASSWORDS.SERVER_PASSWORD, port) },
      start(from = primary): void {
        child = spawned("sh", [`${folder}/replica.sh`, ...own(port)], {
          ...{ PGDATA: `${folder}/${name}`, PGPASSWORD: PASSWORDS.REPLICATION_PASSWORD, REPLICA_NAME: name },
          ...{ PRIMARY_HOST: "127.0.0.1", PRIMARY_PORT: String(from) },
        });
      },
      stop: async () => void (child && (await end(child))),
      asSuperuser: (sql: string) => asSuperuser(sql, port),
    };
  };

  run(["initdb", "--username=postgres", "--auth-local=trust", "--auth-host=scram-sha-256", "--no-sync"]);
  const first = spawned("postgres", own(primary));
  await until(() => run(["pg_isready"]));
  run(["sh", `${folder}/owner.sh`]);
  run(["sh", `${folder}/servers.sh`]);
  run(["pg_ctl", "reload"]);
  const ofPooler = {
    PGBOUNCER_INI: `${folder}/pgbouncer.ini`,
    PGBOUNCER_CONSOLE: `host=/tmp port=${pooler} user=pgbouncer dbname=pgbouncer`,
  };
  spawned("sh", [`${folder}/start.sh`, poolerSettings(folder, primary, pooler)], {
    ...ofPooler,
    PRIMARY_HOST: "127.0.0.1",
  });
  return {
    ...{ first, one: replicaAt(REPLICAS[0], await freePort()), two: replicaAt(REPLICAS[1], await freePort()) },
    owner: address("samespot", PASSWORDS.POSTGRES_PASSWORD, primary),
    pooled: address("samespot_server", PASSWORDS.SERVER_PASSWORD, pooler),
    asSuperuser,
    failover: (...ports: number[]) =>
      run(["sh", `${folder}/failover.sh`, ...ports.map((port) => `127.0.0.1:${port}`)], {
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

async function use({ owner, pooled, one, two }: Databases): Promise<void> {
  await migrate(owner);
  const superuser = "SELECT rolsuper OR rolcreaterole AS mighty FROM pg_roles WHERE rolname = current_user";
  assert.deepEqual(await ask(owner, superuser), [{ mighty: false }]);
  // As separatePrograms() grants at a start (test/db/roles.test.ts).
  await ask(owner, "GRANT USAGE ON SCHEMA app TO samespot_app; GRANT SELECT, INSERT ON app.vault_key TO samespot_app");
  assert.deepEqual(await ask(pooled, superuser), [{ mighty: false }]);
  await assert.rejects(ask(pooled, "CREATE TABLE app.mine ()"), /permission denied/);
  for (const replica of [one, two]) replica.start();
  await addKey(pooled);
  for (const replica of [one, two]) await hasCaughtUp(replica.url);
}

const KEYS = "SELECT pg_is_in_recovery() AS reads, count(*)::int FROM app.vault_key";

let keys = 0;

async function addKey(url: string): Promise<void> {
  keys += 1;
  await ask(url, `INSERT INTO app.vault_key (id) VALUES ('\\x0000000${keys}')`);
}

const hasCaughtUp = (url: string) =>
  until(async () => assert.deepEqual(await ask(url, KEYS), [{ reads: true, count: keys }]));

/** Commits wait for one of two: writes go on without either, which gets them later, and wait without both. */
async function loseReplicas({ pooled, asSuperuser, one, two }: Databases): Promise<void> {
  asSuperuser(`ALTER SYSTEM SET synchronous_standby_names = '${OF_TWO}'`);
  asSuperuser("SELECT pg_reload_conf()");
  for (const replica of [one, two]) {
    await replica.stop();
    await addKey(pooled);
    replica.start();
    await hasCaughtUp(replica.url);
  }
  for (const replica of [one, two]) await replica.stop();
  await assert.rejects(addKey(pooled), /timeout/);
  for (const replica of [one, two]) replica.start();
  for (const replica of [one, two]) await hasCaughtUp(replica.url);
}

/**
 * The primary is killed while one replica lacks a row, and both are started again. The other is promoted; it would wait for replicas of
 * its own, but waits for none, and keeps its rows when it is started again, as by a restart of its container. The one that was behind
 * then follows it, and commits can wait for it again.
 */
async function failOver({ pooled, first, one, two, failover }: Databases): Promise<void> {
  one.asSuperuser("ALTER SYSTEM SET synchronous_standby_names = '*'");
  one.asSuperuser("SELECT pg_reload_conf()");
  await two.stop();
  await addKey(pooled);
  first.kill("SIGKILL");
  // Refused, or left waiting: PgBouncer refuses from the first connection on that has failed.
  await assert.rejects(ask(pooled, KEYS));
  assert.throws(() => failover(one.port, two.port), /does not answer/);
  two.start();
  await one.stop();
  one.start();
  for (const replica of [one, two]) await until(() => ask(replica.url, KEYS));
  assert.match(
    failover(two.port, one.port),
    new RegExp(`The new primary is 127.0.0.1:${one.port}: .*:${two.port} still`, "s"),
  );
  await addKey(pooled);
  await one.stop();
  one.start();
  await until(async () => assert.deepEqual(await ask(pooled, KEYS), [{ reads: false, count: keys }]));
  await two.stop();
  two.start(one.port);
  await hasCaughtUp(two.url);
  one.asSuperuser(`ALTER SYSTEM SET synchronous_standby_names = '${OF_TWO}'`);
  one.asSuperuser("SELECT pg_reload_conf()");
  await addKey(pooled);
  await two.stop();
  await assert.rejects(addKey(pooled), /timeout/);
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
