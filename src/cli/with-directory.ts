import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { type Config, readConfig, sessionSetting } from "../config/config.ts";
import { connect, naming } from "../db/connections.ts";
import { type Database, openDatabase, PATIENT_CONNECT_MS } from "../db/database.ts";
import { explaining, startEmbedded } from "../db/embedded/embedded.ts";
import { checkKeys, takeUpKeys } from "../db/keys.ts";
import { migrate } from "../db/migrate.ts";
import { type DatabaseUrls, separatePrograms } from "../db/roles.ts";
import { type DirectoryDeps, directoryDeps } from "../directory/deps.ts";
import { noteNormalization } from "../directory/venues/renormalize.ts";
import { KnownError } from "../shared/errors.ts";
import type { EndSignal } from "../shared/signals.ts";
import { allKeys } from "../start/keys.ts";
import { onEndSignals } from "../start/run-command.ts";

export interface Context {
  config: Config;
  /** With the owner's role. */
  database: Database;
  urls: DatabaseUrls;
  deps: DirectoryDeps;
  /** Names of migrations applied at the start. */
  applied: string[];
  /** Aborts at a signal to end, such as Ctrl-C. */
  signal: AbortSignal;
}

type Verb<Result> = (context: Context) => Promise<Result>;

/** Runs a verb and prints its result, as `text` words it. `env`: other settings than this process has. */
export type Run = <Result extends object>(
  verb: Verb<Result>,
  text?: (result: Result) => string,
  env?: NodeJS.ProcessEnv,
) => Promise<void>;

const PATIENCE_MS = 24 * 3_600_000;
/** Time for an interrupted verb to end by itself. */
const ENDING_MS = 5000;

/** Like withDatabase(), for verbs that encrypt nothing. Throws if a key in use is missing. */
export function withDirectory<Result>(env: NodeJS.ProcessEnv, verb: Verb<Result>): Promise<Result> {
  return withDatabase(env, async (context) => {
    await checkKeys(context.database.pool, allKeys(context.config));
    return verb(context);
  });
}

/** Like withDatabase(), for verbs that encrypt. Registers the first key, which every server then needs. */
export function withVault<Result>(env: NodeJS.ProcessEnv, verb: Verb<Result>): Promise<Result> {
  return withDatabase(env, async (context) => {
    await takeUpKeys(context.database.pool, allKeys(context.config));
    return verb(context);
  });
}

/** Opens and migrates the database and runs the verb. Starts or shares the embedded database; the last user stops it. */
export async function withDatabase<Result>(env: NodeJS.ProcessEnv, verb: Verb<Result>): Promise<Result> {
  return withServer(readConfig(env, { listens: false }), async ({ config, url, signal, atEnd }) => {
    const applied = await migrate(url);
    const urls = await separatePrograms(url);
    const { isDistributed } = urls;
    const database = openDatabase(url, { patience: PATIENCE_MS, connectMs: PATIENT_CONNECT_MS, isDistributed });
    atEnd(database.close);
    await noteNormalization(database.pool);
    return verb({ config, database, urls, deps: directoryDeps({ config, database }), applied, signal });
  });
}

export interface Server {
  config: Config;
  /** Of the owner. Contains the password: never log it. */
  url: string;
  /** Aborts at a signal to end, such as Ctrl-C. */
  signal: AbortSignal;
  /** Registers a step for the end, also after an interruption. */
  atEnd(step: () => Promise<unknown>): void;
}

/** Runs a verb on the database as it is. Starts or shares the embedded database; the last user stops it. */
export async function withServer<Result>(config: Config, verb: (server: Server) => Promise<Result>): Promise<Result> {
  const signal = interruption();
  const embedded = config.databaseUrl ? undefined : await startEmbedded({ dir: config.dataDir });
  const steps: (() => Promise<unknown>)[] = [async () => embedded?.stop()];
  const work = async () => {
    signal.throwIfAborted();
    const url = config.directDatabaseUrl ?? config.databaseUrl ?? embedded?.url ?? "";
    return verb({ config, url, signal, atEnd: (step) => void steps.push(step) });
  };
  try {
    const done = () => Promise.race([work(), ending(signal)]);
    return await (embedded ? explaining(config.dataDir, done) : naming(sessionSetting(config), done));
  } finally {
    for (const step of steps.toReversed()) await step();
  }
}

/** A connection of its own for a verb, which ends with it or with an interruption. A statement may take hours. */
export async function ownConnection({ url, signal, atEnd }: Server, name: string): Promise<pg.Client> {
  const client = await connect({ connectionString: url, application_name: `samespot ${name}`, query_timeout: 0 });
  const end = () => client.end().catch(() => {});
  signal.addEventListener("abort", end);
  atEnd(end);
  return client;
}

// A second signal ends the process at once.
export function interruption(): AbortSignal {
  const controller = new AbortController();
  const interrupt = (signal: EndSignal) => {
    process.exitCode = 128 + constants.signals[signal]; // as a shell has it
    controller.abort(new KnownError(499, "interrupted", "Interrupted."));
    setTimeout(() => process.exit(), 4 * ENDING_MS).unref(); // even if a connection hangs
  };
  onEndSignals(interrupt, () => process.exit());
  return controller.signal;
}

function ending(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", async () => {
      await sleep(ENDING_MS, undefined, { ref: false });
      reject(signal.reason);
    });
  });
}
