import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { connect } from "./connections.ts";
import { FORMER_REMEDY, fromFormer, isFormer } from "./former.ts";
import { LOCKS } from "./locks.ts";
import {
  apply,
  FOLDER,
  LOCK_NOT_AVAILABLE,
  migrationNames,
  noteApplied,
  readMigration,
  statementsOf,
} from "./migration-files.ts";
import { withOwnConnection } from "./own-connection.ts";
import { execute, queryRow } from "./sql.ts";

// The advisory lock of Prisma's own engine, so that only one of us migrates at a time.
const LOCK = 72707369;

/** Created as by Prisma's engine. */
export const HISTORY = `CREATE TABLE public._prisma_migrations (
  id VARCHAR(36) PRIMARY KEY, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

/** In the history while a restore runs, or after one that was killed (restoring.ts). No program may start on the database then. */
export const RESTORING = "a restore";

interface MigrationOptions {
  log?: (message: string) => void;
  folder?: string;
}

interface Applied {
  name: string;
  checksum: string;
  finished: boolean;
}

/**
 * Applies the missing prisma/migrations in order, and returns their names. Keeps the history as Prisma does. May be killed and
 * repeated: a migration commits together with its line in the history, except one without a transaction, which must bear being
 * repeated. Leaves background migrations to finishMigrations(), except in a new database. Errors say what to do, without the
 * connection string.
 */
export async function migrate(
  url: string,
  { log = () => {}, folder = FOLDER }: MigrationOptions = {},
): Promise<string[]> {
  const client = await connect({
    connectionString: url, // refused at once by a pooler, which would keep the lock
    application_name: "samespot migrate",
    query_timeout: 0, // a large table takes its time, and so do others who migrate
  });
  try {
    await requireVersion(client);
    await waitForTurn(client, log);
    return await applyMissing(client, folder, log);
  } catch (error) {
    throw await explained(error, client);
  } finally {
    await client.end(); // and with it the lock
  }
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query("SELECT current_setting('server_version') AS name");
  if (Number.parseInt(rows[0].name, 10) >= 15) return;
  throw new Error(`The database is a PostgreSQL ${rows[0].name}; Samespot needs 15 or newer.`);
}

export async function waitForTurn(client: pg.Client, log: (message: string) => void): Promise<void> {
  const row = await queryRow<{ taken: boolean }>(client)`SELECT pg_try_advisory_lock(${LOCK}) AS taken`;
  if (row?.taken) return;
  log("Another process is migrating the database; waiting for it.");
  await execute(client)`SELECT pg_advisory_lock(${LOCK})`;
}

async function applyMissing(client: pg.Client, folder: string, log: (message: string) => void): Promise<string[]> {
  await createHistory(client);
  const names = await migrationNames(folder);
  const before = await readHistory(client);
  const isMoved = await fromFormer(client, before, { folder, init: names[0] });
  const history = isMoved ? await readHistory(client) : before;
  if (isMoved)
    log("The database was made before the first release. It now has that schema; its rows are as they were.");
  requireKnown(history, names);
  if (history.length === 0) await requireUtf8(client);
  const applied: string[] = [];
  for (const name of names) {
    const migration = await readMigration(folder, name);
    const earlier = history.find((entry) => entry.name === name);
    if (earlier) {
      if (earlier.checksum !== migration.checksum) log(`Migration ${name} was edited after it was applied here.`);
      continue;
    }
    if (migration.isBackground && history.length > 0) continue;
    await apply(client, name, migration);
    if (history.length > 0) log(`Applied migration ${name}.`);
    applied.push(name);
  }
  if (history.length === 0) log(`Applied the ${applied.length} migrations to the new database.`);
  return applied;
}

/** A server without a locale makes its databases for ASCII, and many a venue then has no name that can be stored or compared. */
async function requireUtf8(client: pg.Client): Promise<void> {
  const { rows } = await client.query("SELECT current_setting('server_encoding') AS encoding");
  if (rows[0].encoding === "UTF8") return;
  throw new Error(
    `The database has the encoding ${rows[0].encoding}; Samespot needs UTF8. Make it with ${UTF8_DATABASE}.`,
  );
}

/** What to add to CREATE DATABASE. */
export const UTF8_DATABASE = "ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0";

/** Only if missing: a user who may not create tables can start a migrated database. */
async function createHistory(client: pg.Client): Promise<void> {
  const { rows } = await client.query("SELECT to_regclass('public._prisma_migrations') IS NULL AS missing");
  if (rows[0].missing) await client.query(HISTORY);
}

async function readHistory(client: pg.Client | pg.Pool): Promise<Applied[]> {
  const { rows } = await client.query<Applied>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
       FROM public._prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  if (rows.every(({ name }) => name !== RESTORING)) return rows;
  throw new Error("A restore into this database has not ended. If it was interrupted, run it again: it begins anew.");
}

function requireKnown(history: Applied[], names: string[]): void {
  const unknown = history.map(({ name }) => name).filter((name) => !names.includes(name));
  if (unknown.some(isFormer)) {
    throw new Error(
      `The database was made before the first release, and stands at ${unknown.sort().at(-1)}. ${FORMER_REMEDY}`,
    );
  }
  if (unknown.length > 0) {
    throw new Error(
      `The database is newer than this program: it has ${unknown.join(", ")}. Start the release that made it, or a newer one.`,
    );
  }
  const failed = history.find(({ finished }) => !finished);
  if (!failed) return;
  throw new Error(`Migration ${failed.name} failed when Prisma applied it: repair it with \`prisma migrate resolve\`.`);
}

const INSUFFICIENT_PRIVILEGE = "42501";
const FEATURE_NOT_SUPPORTED = "0A000";

async function explained(error: unknown, client: pg.Client): Promise<unknown> {
  const { code, message, migration } = error as { code?: string; message: string; migration?: string };
  const failed = migration ? `Migration ${migration} failed: ${message}.` : `${message}.`;
  // Its words are in the language of the server.
  if (code === FEATURE_NOT_SUPPORTED && message.includes("pg_trgm")) {
    return new Error(`${failed} Install PostgreSQL's contrib modules on the database server, then start again.`);
  }
  if (code === LOCK_NOT_AVAILABLE) {
    return new Error(
      `${failed} A transaction has held the table for a minute: end it (pg_stat_activity shows it), and start again.`,
    );
  }
  if (code === INSUFFICIENT_PRIVILEGE) {
    const { user, database } = client;
    const remedy = `ALTER DATABASE ${client.escapeIdentifier(database ?? "")} OWNER TO ${client.escapeIdentifier(user ?? "")};`;
    return new Error(
      `${failed} The role must own its database. Have an administrator run: ${remedy} Or run \`samespot migrate\` as the owner first.`,
    );
  }
  return migration ? new Error(failed, { cause: error }) : error;
}

/** Returns the names of the missing migrations that a server needs. */
export async function pendingMigrations(pool: pg.Pool): Promise<string[]> {
  return (await missingMigrations(pool)).filter(({ isBackground }) => !isBackground).map(({ name }) => name);
}

/** Returns the names of the missing background migrations, in order. */
export async function pendingInBackground(client: pg.Client | pg.Pool, folder = FOLDER): Promise<string[]> {
  return (await missingMigrations(client, folder)).filter(({ isBackground }) => isBackground).map(({ name }) => name);
}

async function missingMigrations(client: pg.Client | pg.Pool, folder = FOLDER) {
  const names = await migrationNames(folder);
  const applied = await appliedMigrations(client);
  const missing = names.filter((name) => !applied.includes(name));
  return Promise.all(missing.map(async (name) => ({ name, ...(await readMigration(folder, name)) })));
}

/** Returns the names of the database's migrations, in order; none if it is not Samespot's. Throws during a restore. */
export async function appliedMigrations(client: pg.Client | pg.Pool): Promise<string[]> {
  const { rows } = await client.query("SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS made");
  const history = rows[0].made ? await readHistory(client) : [];
  return history
    .filter(({ finished }) => finished)
    .map(({ name }) => name)
    .sort();
}

/** Returns those of `names` that this program does not have: it is older than they are. */
export async function unknownMigrations(names: readonly string[]): Promise<string[]> {
  const known = await migrationNames(FOLDER);
  return names.filter((name) => !known.includes(name));
}

interface Options extends MigrationOptions {
  /** Ends the connection. The server then completes the statement, or the next start repeats it. */
  signal?: AbortSignal;
  /** Milliseconds until a look whether another process has finished. */
  turnMs?: number;
  progressMs?: number;
}

const TURN_MS = 5000;
const RETRY_MS = 60_000;
const PROGRESS_MS = 10_000;

/** Starts finishMigrations(), and repeats it every minute while it fails. Servers work without these indexes, but slower. */
export function finishInBackground(url: string, { log, ...options }: Options & { log: (message: string) => void }) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const work = async () => {
    while (!signal.aborted) {
      const error = await finishMigrations(url, { ...options, log, signal }).then(() => undefined, asError);
      if (!error || signal.aborted) return;
      if (error.code === INSUFFICIENT_PRIVILEGE) {
        return log(`Indexes are missing, and this user may not build them: run \`samespot migrate\` as the owner.`);
      }
      log(`Indexes could not be built: ${error.message}. The next try is in a minute.`);
      await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  const running = work();
  return {
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

const asError = (error: unknown) => error as Error & { code?: string };

/**
 * Applies the missing background migrations, statement by statement, and returns their names. Waits while another process does.
 * May be killed and repeated: it drops an index that was left invalid, and builds it again.
 */
export async function finishMigrations(url: string, options: Options = {}): Promise<string[]> {
  for (;;) {
    const applied = await takeTurn(url, options);
    if (applied) return applied;
    await sleep(options.turnMs ?? TURN_MS, undefined, { ...(options.signal && { signal: options.signal }) });
  }
}

/** Returns undefined if another process has the turn. To wait for its lock would make its build wait for us. */
async function takeTurn(url: string, options: Options): Promise<string[] | undefined> {
  const { folder = FOLDER, signal } = options;
  signal?.throwIfAborted();
  const application_name = "samespot indexes";
  const client = await connect({ connectionString: url, application_name, query_timeout: 0 }); // an index takes hours
  const end = () => client.end().catch(() => {});
  signal?.addEventListener("abort", end, { once: true });
  try {
    if ((await pendingInBackground(client, folder)).length === 0) return [];
    const lock = await queryRow<{ isTaken: boolean }>(
      client,
    )`SELECT pg_try_advisory_lock(${LOCKS.indexes}) AS "isTaken"`;
    if (!lock?.isTaken) return undefined;
    const pending = await pendingInBackground(client, folder); // with the lock: another may just have finished
    for (const name of pending) {
      const migration = await readMigration(folder, name);
      for (const statement of statementsOf(migration.sql)) await run(client, url, statement, options);
      await noteApplied(client, name, migration);
    }
    return pending;
  } finally {
    signal?.removeEventListener("abort", end);
    await end();
  }
}

async function run(client: pg.Client, url: string, statement: string, options: Options): Promise<void> {
  const { log = () => {}, progressMs = PROGRESS_MS } = options;
  const [, built, schema] = /^CREATE .*?"(\w+)" ON "(\w+)"/.exec(statement) ?? [];
  if (built && schema) await dropIfInvalid(client, schema, built);
  const begun = performance.now();
  const seconds = () => `${Math.round((performance.now() - begun) / 1000)} s`;
  const what = built ? `Index ${built}` : statement;
  const timer = setInterval(async () => {
    const progress = await progressOf(url, client).catch(() => undefined);
    if (progress) log(`${what}, after ${seconds()}: ${progress}.`);
  }, progressMs);
  try {
    await client.query(statement);
    log(`${what}: done in the background in ${seconds()}.`);
  } finally {
    clearInterval(timer);
  }
}

/** An interrupted build leaves an index that costs every write and serves no query, and that IF NOT EXISTS takes for the index. */
async function dropIfInvalid(client: pg.Client, schema: string, name: string): Promise<void> {
  const invalid = await execute(client)`
    SELECT FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE relnamespace = ${schema}::regnamespace AND relname = ${name} AND NOT indisvalid`;
  if (invalid > 0) await client.query(`DROP INDEX CONCURRENTLY "${schema}"."${name}"`);
}

async function progressOf(url: string, { processID }: pg.Client & { processID?: number }): Promise<string | undefined> {
  const row = await withOwnConnection(
    url,
    { name: "progress", statementMs: 1000 },
    (client) => queryRow<{ phase: string; percent: number | null }>(client)`
      SELECT phase, (100 * blocks_done / nullif(blocks_total, 0))::int AS percent
        FROM pg_stat_progress_create_index WHERE pid = ${processID ?? null}`,
  );
  return row && (row.percent === null ? row.phase : `${row.phase}, ${row.percent} %`);
}
