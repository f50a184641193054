import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openCluster, stopServer } from "../../src/db/embedded/cluster.ts";
import { startEmbedded } from "../../src/db/embedded/embedded.ts";
import { tryFileLock } from "../../src/db/embedded/file-lock.ts";
import { closedFolder, serverUser } from "../../src/db/embedded/user.ts";
import { migrate } from "../../src/db/migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    run: TestRun;
  }
}

export interface TestRun {
  url: string;
  /** Prefix of the run's databases. */
  prefix: string;
  /** Folder of the run, open to all users. The end of the run deletes it and stops processes in it. */
  folder: string;
}

const FOLDER = "samespot-test-";
const RUN_LOCK = 20_260_101;

/**
 * Starts a PostgreSQL for the run, or uses TEST_DATABASE_URL (15 or newer, a role that may create databases and roles), and makes a
 * migrated template to clone. First removes what killed runs have left.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const onDisk = openParent();
  for (const each of [MEMORY, onDisk]) if (existsSync(each)) await clearFolders(each);
  // Each database is a thousand files.
  const parent = freeBytes(MEMORY) > ENOUGH_BYTES ? MEMORY : onDisk;
  const folder = mkdtempSync(path.join(parent, FOLDER));
  chmodSync(folder, 0o755);
  // Shared by the hundreds of processes of a run, and with the next run: that of node-version.mjs.
  process.env.NODE_COMPILE_CACHE = path.resolve("node_modules/.cache/node");
  const release = tryFileLock(path.join(folder, "run.lock"));
  const ends: (() => unknown)[] = [() => release?.(), () => clear(folder)];
  const teardown = async () => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const url = process.env.TEST_DATABASE_URL ?? (await startServer(folder, ends));
    const prefix = await makeTemplate(url, ends);
    project.provide("run", { url, folder, prefix });
  } catch (error) {
    await teardown();
    throw error;
  }
  return teardown;
}

/** Returns the temporary folder; or /tmp if the tests run as root and PostgreSQL's user cannot enter root's temporary folder. */
function openParent(): string {
  return closedFolder(tmpdir(), serverUser(tmpdir())) ? "/tmp" : tmpdir();
}

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 6 * 1024 ** 3;

/** 0 if there is no such folder or it is closed. */
function freeBytes(folder: string): number {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

async function startServer(folder: string, ends: (() => unknown)[]): Promise<string> {
  const { url, stop } = await startEmbedded({ dir: path.join(folder, "server"), settings: FAST });
  ends.push(stop);
  return url;
}

/** Returns the prefix of the run's databases. */
async function makeTemplate(url: string, ends: (() => unknown)[]): Promise<string> {
  const admin = new pg.Client({ connectionString: url, application_name: "samespot test run" });
  admin.on("error", () => {}); // the tests will show it
  await admin.connect();
  ends.push(() => admin.end());
  const prefix = await claimPrefix(admin);
  ends.push(() => dropDatabases(admin, prefix));
  const template = new URL(url);
  template.pathname = `${prefix}migrated`;
  await admin.query(`CREATE DATABASE ${prefix}migrated`);
  await migrate(template.href);
  return prefix;
}

// The database need not survive a crash.
const FAST = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" };

/** Takes a number that no running test run has; the lock ends with the connection. Drops the databases of dead runs. */
async function claimPrefix(admin: pg.Client): Promise<string> {
  const { rows } = await admin.query(
    "SELECT DISTINCT substring(datname FROM '^samespot_test_([0-9]+)_') AS id FROM pg_database WHERE datname ~ '^samespot_test_[0-9]+_'",
  );
  const lock = async (id: number): Promise<boolean> =>
    (await admin.query("SELECT pg_try_advisory_lock($1, $2) AS taken", [RUN_LOCK, id])).rows[0].taken;
  for (const { id } of rows) if (await lock(Number(id))) await dropDatabases(admin, `samespot_test_${id}_`);
  let id = process.pid;
  while (!(await lock(id))) id += 1;
  return `samespot_test_${id}_`;
}

async function dropDatabases(admin: pg.Client, prefix: string): Promise<void> {
  const { rows } = await admin.query("SELECT datname FROM pg_database WHERE starts_with(datname, $1)", [prefix]);
  for (const { datname } of rows) await admin.query(`DROP DATABASE IF EXISTS "${datname}" WITH (FORCE)`);
  const roles = await admin.query("SELECT rolname FROM pg_roles WHERE starts_with(rolname, $1)", [prefix]);
  for (const { rolname } of roles.rows) await admin.query(`DROP ROLE IF EXISTS "${rolname}"`);
}

const HOUR_MS = 3_600_000;

async function clearFolders(parent: string): Promise<void> {
  const names = readdirSync(parent).filter((name) => name.startsWith(FOLDER));
  for (const folder of names.map((name) => path.join(parent, name))) {
    const lockFile = path.join(folder, "run.lock");
    try {
      // A run that begins has no lock yet; of one that has ended, a late child process may have written its compiled code anew.
      if (!existsSync(lockFile) && Date.now() - statSync(folder).mtimeMs < HOUR_MS) continue;
      const release = tryFileLock(lockFile);
      if (!release) continue; // a running test run's
      await clear(folder);
      release();
    } catch {
      // another user's
    }
  }
}

/** Deletes a run's folder, and stops the servers in it. */
async function clear(folder: string): Promise<void> {
  for (const { parentPath, name } of readdirSync(folder, { withFileTypes: true })) {
    const home = path.join(parentPath, name);
    if (existsSync(path.join(home, "pg"))) await stopServer(await openCluster(home, {}));
  }
  rmSync(folder, { recursive: true, force: true });
}
