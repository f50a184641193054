import { setTimeout as after } from "node:timers/promises";
import type pg from "pg";
import { noteApplied } from "./apply-migration.ts";
import { connect } from "./connections.ts";
import { LOCKS } from "./locks.ts";
import { INSUFFICIENT_PRIVILEGE, type MigrationOptions, pendingInBackground } from "./migrate.ts";
import { FOLDER, readMigration, statementsOf } from "./migration-files.ts";
import { withOwnConnection } from "./own-connection.ts";
import { execute, queryRow } from "./sql.ts";

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
      await after(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
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
    await after(options.turnMs ?? TURN_MS, undefined, { ...(options.signal && { signal: options.signal }) });
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
