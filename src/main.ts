import closeWithGrace from "close-with-grace";
import pkg from "../package.json" with { type: "json" };
import { type Config, readConfig } from "./config/config.ts";
import type { Address } from "./db/connections.ts";
import { type Database, openDatabase } from "./db/database.ts";
import { startEmbedded } from "./db/embedded/embedded.ts";
import { type Keys, notReady, takeUpKeys } from "./db/keys.ts";
import { migrate } from "./db/migrate.ts";
import { openReplicas, type Replicas } from "./db/replicas.ts";
import { separatePrograms } from "./db/roles.ts";
import { type ProgramAddresses, throughPooler } from "./db/through-pooler.ts";
import { wordsOf } from "./harmonize/run/words.ts";
import { startWorker } from "./harmonize/worker.ts";
import { createLogger, type Logger } from "./http/logger.ts";
import { serveMetrics } from "./http/metrics.ts";
import { aboutReplicas, measureReplicas } from "./http/replicas.ts";
import { buildDirectory } from "./start/directory.ts";
import { startHousekeeping } from "./start/housekeeping.ts";
import { keysInRole } from "./start/keys.ts";
import { runCommand } from "./start/run-command.ts";
import { prepareDirectory } from "./start/setup.ts";
import { buildWeb } from "./web/app.ts";
import type { Web } from "./web/base/deps.ts";
import { startHeartbeat } from "./web/base/instances.ts";
import { createWeb } from "./web/create-web.ts";

type Closers = (() => Promise<unknown>)[];

export interface Samespot {
  /** `password` is undefined once its owner has changed it. */
  demo: { handle: string; password: string | undefined } | undefined;
  close(): Promise<void>;
}

/** For statements that nobody waits for, but short enough to notice an unavailable database. */
const WORKER_PATIENCE_MS = 5000;
/** Milliseconds for calls to the directory in the same process. They take longer only under heavy load. */
const OWN_CALLS_MS = 4000;

/** Starts the parts in ROLES. `close` ends them in reverse order without losing a request in flight. */
export async function startSamespot(config: Config, log: Logger): Promise<Samespot> {
  const closers: Closers = [];
  const close = async () => {
    for (const step of closers.splice(0).reverse()) await step();
  };
  let demo: Samespot["demo"];
  try {
    const url = config.directDatabaseUrl ?? config.databaseUrl ?? (await embeddedUrl(config, closers));
    const keys = keysInRole(config);
    const { addresses, ...databases } = await openDatabases(url, { config, keys, log, closers });

    if (config.roles.has("directory")) {
      demo = await prepareDirectory({ config, url, log });
      const { auth, api } = await buildDirectory({
        config,
        database: databases.directory,
        replicas: databases.replicas,
        log,
      });
      closers.push(() => Promise.all([auth.close(), api.close()]));
      await auth.listen({ host: config.auth.host, port: config.auth.port });
      await api.listen({ host: config.api.host, port: config.api.port });
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
    closers.push(async () => worker?.stop(config.roles.has("directory") ? OWN_CALLS_MS : undefined));
    if (web && config.roles.has("app")) {
      const app = await buildWeb(web, log);
      closers.push(() => app.close());
      await app.listen({ host: config.web.host, port: config.web.port });
    }
    if (config.metricsPort !== undefined) {
      const metrics = await startMetrics(config.metricsPort, { config, keys, databases, worker });
      closers.push(async () => metrics.close());
    }
    const housekeeping = startHousekeeping({ config, database: databases.directory, log, web });
    closers.push(() => housekeeping.stop());
    if (web) {
      const onFailure = (err: unknown) => log.warn({ err }, "the heartbeat failed");
      const problems = () => worker?.problems() ?? [];
      const about = { roles: config.roles, version: pkg.version, problems, onFailure };
      const heartbeat = await startHeartbeat(web.pool, about);
      closers.push(() => heartbeat.stop());
    }
    return { demo, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Measured {
  config: Config;
  keys: Keys[];
  databases: Omit<Databases, "addresses">;
  worker: Awaited<ReturnType<typeof startOwnWorker>> | undefined;
}

function startMetrics(port: number, { config, keys, databases, worker }: Measured) {
  const { replicas } = databases;
  return serveMetrics({
    ...{ host: config.web.host, port },
    ready: async () => [
      ...new Set((await Promise.all(keys.map((each) => notReady(databases[each.schema].pool, each)))).flat()),
      ...(worker?.problems() ?? []).map(wordsOf),
    ],
    about: () => (replicas ? aboutReplicas(replicas) : {}),
    refresh: async () => {
      if (replicas) measureReplicas(replicas);
      await worker?.measure();
    },
  });
}

interface Databases extends Record<Keys["schema"], Database> {
  addresses: ProgramAddresses;
  replicas: Replicas | undefined;
}

async function openDatabases(
  url: string,
  { config, keys, log, closers }: { config: Config; keys: Keys[]; log: Logger; closers: Closers },
): Promise<Databases> {
  const options = { log: (message: string) => log.info(message) };
  await migrate(url, options);
  const warn = (message: string) => log.warn(message);
  const urls = await separatePrograms(url, warn);
  const owner = openDatabase(url, options);
  await takeUpKeys(owner.pool, keys).finally(owner.close);
  const pooler = config.directDatabaseUrl && config.databaseUrl;
  const addresses = pooler ? await throughPooler(pooler, urls, warn) : urls;
  const app = openDatabase(addresses.app, options);
  const directory = addresses.directory === addresses.app ? app : openDatabase(addresses.directory, options);
  closers.push(() => Promise.all([app.close(), directory.close()]));
  const hasReplicas = config.readDatabaseUrls.length > 0 && config.roles.has("directory");
  const about = { primary: directory.pool, role: urls.roles?.directory, log: warn };
  const replicas = hasReplicas ? openReplicas(config.readDatabaseUrls, about) : undefined;
  closers.push(async () => replicas?.close());
  return { addresses, replicas, app, directory };
}

async function startOwnWorker(
  { harmonizer }: Web,
  { address, log, closers }: { address: Address; log: Logger; closers: Closers },
) {
  const own = openDatabase(address, { log: (message) => log.info(message), patience: WORKER_PATIENCE_MS });
  closers.push(() => own.close());
  return startWorker({ ...harmonizer, prisma: own.prisma, pool: own.pool }, { log });
}

async function embeddedUrl(config: Config, closers: Closers): Promise<string> {
  const embedded = await startEmbedded({ dir: config.dataDir });
  closers.push(() => embedded.stop());
  return embedded.url;
}

/** `npm start`: runs until SIGINT or SIGTERM, then drains and exits 0. A second signal ends it at once. */
export async function serve(env: NodeJS.ProcessEnv, announce: (ready: Ready) => void = sayReady): Promise<void> {
  const config = readConfig(env);
  const log = createLogger({ level: config.logLevel });
  const starting = startSamespot(config, log);
  // Before the start has finished, so that a signal leaves no database server behind.
  const grace = closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
    if (err) log.fatal({ err }, "ending after an unexpected error");
    await (await starting).close();
  });
  const { demo } = await starting.catch((error) => {
    grace.uninstall();
    throw error;
  });
  announce({ open: config.roles.has("app") ? config.web.url : undefined, demo });
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
