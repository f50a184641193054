import { setTimeout as after } from "node:timers/promises";
import { aborted } from "node:util";
import v8 from "node:v8";
import { readLastBackup } from "./backup/retention.ts";
import { type Config, readConfig } from "./config/config.ts";
import { aboutNodes } from "./db/citus/nodes.ts";
import type { Address } from "./db/connections.ts";
import { openDatabase } from "./db/database.ts";
import type { Keys } from "./db/keys.ts";
import { warnOfFilesElsewhere } from "./harmonize/run/elsewhere.ts";
import { readWorkGauges } from "./harmonize/run/metrics.ts";
import { wordsOf } from "./harmonize/run/problems/words.ts";
import { startWorker } from "./harmonize/worker.ts";
import { notReady } from "./http/health.ts";
import { createLogger, type Logger } from "./http/logger.ts";
import { readPools, serveMetrics } from "./http/metrics.ts";
import { aboutReplicas, measureReplicas } from "./http/replicas.ts";
import { ownVersion } from "./shared/version.ts";
import { buildDirectory, type Closers, type Databases, openDatabases } from "./start/directory.ts";
import { startHousekeeping } from "./start/housekeeping.ts";
import { keysInRole } from "./start/keys.ts";
import { tryPorts } from "./start/ports.ts";
import { onEndSignals, runCommand } from "./start/run-command.ts";
import { prepareDirectory } from "./start/setup.ts";
import { buildWeb } from "./web/app.ts";
import type { Web } from "./web/base/deps.ts";
import { startHeartbeat } from "./web/base/instances.ts";
import { createWeb } from "./web/create-web.ts";

export interface Samespot {
  /** `password` is undefined once its owner has changed it. */
  demo: { handle: string; password: string | undefined } | undefined;
  /** Ends the worker, and tells proxies and clients to go elsewhere while their requests are still served. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** For statements that nobody waits for, but short enough to notice an unavailable database. */
const WORKER_PATIENCE_MS = 5000;
/** Milliseconds for calls to the directory in the same process. They take longer only under heavy load. */
const OWN_CALLS_MS = 4000;

/** V8's default lets a heap grow fourfold between collections, so a long file fills it with garbage. A limit could end the process. */
const HEAP_GROWTH = "--heap-growing-percent=50";

/** For what is left to do after DRAIN_SECONDS. */
const CLOSE_MS = 10_000;

/**
 * Starts the parts in ROLES. `close` ends them in reverse order without losing a request in flight. If `cutOff` is aborted before
 * that, ends what it has started and throws the reason.
 */
export async function startSamespot(
  config: Config,
  log: Logger,
  cutOff = new AbortController().signal,
): Promise<Samespot> {
  const closers: Closers = [];
  const stopping = new AbortController();
  const close = async () => {
    stopping.abort();
    for (const step of closers.splice(0).reverse())
      await step().catch((err) => log.error({ err }, "a part did not end in order"));
  };
  let demo: Samespot["demo"];
  try {
    await tryPorts(config);
    const keys = keysInRole(config);
    const databases = await unlessAborted(cutOff, openDatabases(config, { keys, log, closers }));
    const { url, addresses, isDistributed } = databases;

    if (config.roles.has("directory")) {
      demo = await unlessAborted(cutOff, prepareDirectory({ config, url, isDistributed, log }));
      const { directory: database, replicas } = databases;
      await serveDirectory({ config, database, replicas, log, stopping: stopping.signal }, closers);
    }
    const web =
      config.roles.has("app") || config.roles.has("worker")
        ? createWeb({ config, database: databases.app, address: addresses.app, log })
        : undefined;
    closers.push(async () => web?.close());
    const worker =
      web && config.roles.has("worker")
        ? await startOwnWorker(web, { address: addresses.app, log, closers })
        : undefined;
    // Before the directory in this process, because pending calls to it need its database.
    const stopWorker = async () => worker?.stop(config.roles.has("directory") ? OWN_CALLS_MS : undefined);
    closers.push(stopWorker);
    if (web && config.roles.has("app")) await serveApp(web, { log, stopping: stopping.signal }, closers);
    if (config.metricsPort !== undefined) {
      const measured = { config, keys, databases, web, worker, stopping: stopping.signal };
      const metrics = await startMetrics(config.metricsPort, measured);
      closers.push(async () => metrics.close());
    }
    const housekeeping = startHousekeeping({ config, database: databases.directory, log, web });
    closers.push(() => housekeeping.stop());
    if (web) {
      const onFailure = (err: unknown) => log.warn({ err }, "the heartbeat failed");
      const heartbeat = await startHeartbeat(web.pool, { ...aboutUs(config, worker), onFailure });
      closers.push(() => heartbeat.stop());
    }
    const drain = async () => {
      stopping.abort();
      await Promise.all([stopWorker(), after(config.drainSeconds * 1000)]);
    };
    return { demo, drain, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Migrations and sample take long. They bear being cut off anywhere. */
async function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  work.catch(() => {}); // after the abort nobody else hears of it
  await Promise.race([work, aborted(signal, work)]);
  signal.throwIfAborted();
  return work;
}

interface Measured {
  config: Config;
  keys: Keys[];
  databases: Databases;
  web: Web | undefined;
  worker: Worker;
  stopping: AbortSignal;
}

function startMetrics(port: number, { config, keys, databases, web, worker, stopping }: Measured) {
  const { replicas } = databases;
  return serveMetrics({
    host: config.web.host,
    port,
    version: ownVersion(),
    stopping,
    ready: async () => [
      ...new Set((await Promise.all(keys.map((each) => notReady(databases[each.schema].pool, each)))).flat()),
      ...problemsOf(worker)().map(wordsOf),
    ],
    about: async () => ({
      ...(replicas && aboutReplicas(replicas)),
      ...(await aboutNodes(databases.directory.pool)),
    }),
    refresh: async () => {
      readPools();
      worker?.measure();
      if (replicas) measureReplicas(replicas);
      if (web) await readWorkGauges(web.harmonizer);
      if (config.roles.has("directory")) await readLastBackup(databases.directory.pool);
    },
  });
}

async function serveDirectory(parts: Parameters<typeof buildDirectory>[0], closers: Closers): Promise<void> {
  const { auth, api } = await buildDirectory(parts);
  closers.push(() => Promise.all([auth.close(), api.close()]));
  const { config } = parts;
  await auth.listen({ host: config.auth.host, port: config.auth.port });
  await api.listen({ host: config.api.host, port: config.api.port });
}

async function serveApp(web: Web, { log, stopping }: { log: Logger; stopping: AbortSignal }, closers: Closers) {
  await warnOfFilesElsewhere(web.harmonizer, log);
  const app = await buildWeb(web, log, stopping);
  closers.push(() => app.close());
  await app.listen({ host: web.config.web.host, port: web.config.web.port });
}

async function startOwnWorker(
  { harmonizer }: Web,
  { address, log, closers }: { address: Address; log: Logger; closers: Closers },
) {
  const own = openDatabase(address, {
    name: "worker",
    log: (message: string) => log.info(message),
    patience: WORKER_PATIENCE_MS,
  });
  closers.push(() => own.close());
  return startWorker({ ...harmonizer, prisma: own.prisma, pool: own.pool }, { log });
}

type Worker = Awaited<ReturnType<typeof startWorker>> | undefined;

const aboutUs = ({ roles }: Config, worker: Worker) => ({ roles, version: ownVersion(), problems: problemsOf(worker) });

const problemsOf = (worker: Worker) => () => worker?.problems() ?? [];

/** `npm start`: runs until a signal to end, then drains and exits 0. A later signal ends it at once. */
export async function serve(env: NodeJS.ProcessEnv, announce: (ready: Ready) => void = sayReady): Promise<void> {
  v8.setFlagsFromString(HEAP_GROWTH);
  const config = readConfig(env);
  const log = createLogger({ level: config.logLevel });
  const ending = new AbortController();
  const starting = startSamespot(config, log, ending.signal);
  // Before the start has finished, so that a signal leaves no database server behind.
  const leave = endInOrder({ config, log, ending, starting });
  const samespot = await starting.catch((error) => {
    if (ending.signal.aborted) return undefined;
    leave();
    throw error;
  });
  if (!samespot || ending.signal.aborted) return;
  announce({ open: config.roles.has("app") ? config.web.url : undefined, demo: samespot.demo });
}

interface Life {
  config: Config;
  log: Logger;
  /** Cuts off a start that has not finished. */
  ending: AbortController;
  starting: Promise<Samespot>;
}

/** Ends the process at a signal or an unexpected error, and logs both ends of that. Returns a function that leaves it to Node.js again. */
function endInOrder({ config: { drainSeconds }, log, ending, starting }: Life): () => void {
  let reason: string | undefined;
  const endByForce = (why: string) => {
    log.error({ reason }, `ended by force: ${why}`);
    process.exit(1);
  };
  const end = async (first: string, err?: unknown) => {
    reason = first;
    const begun = performance.now();
    setTimeout(() => endByForce("it did not end in time"), drainSeconds * 1000 + CLOSE_MS);
    if (err) log.fatal({ reason, err }, "ending after an unexpected error");
    else log.info({ reason, drainSeconds }, "stopping");
    ending.abort();
    const samespot = await starting.catch(() => undefined);
    if (!err) await samespot?.drain();
    await samespot?.close();
    log.info({ reason, ms: Math.round(performance.now() - begun) }, "stopped");
    process.exit(err ? 1 : 0);
  };
  const onError = (err: unknown) => {
    if (reason) log.error({ err }, "an error while the process ends");
    else void end("an unexpected error", err);
  };
  process.on("uncaughtException", onError); // also of rejections
  const leaveSignals = onEndSignals(
    (signal) => {
      if (!reason) void end(signal);
    },
    () => endByForce("a second signal"),
  );
  return () => {
    process.off("uncaughtException", onError);
    leaveSignals();
  };
}

interface Ready {
  open: string | undefined;
  demo: Samespot["demo"];
}

function sayReady({ open, demo }: Ready): void {
  if (open) console.log(`Open ${open}`);
  if (demo) console.log(`Demo account: ${demo.handle} / ${demo.password ?? "(the password you gave it)"}`);
}

if (import.meta.main) await runCommand(() => serve(process.env));
