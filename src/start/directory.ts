import type { FastifyInstance } from "fastify";
import { type Config, sessionSetting } from "../config/config.ts";
import { naming } from "../db/connections.ts";
import { type Database, openDatabase, PATIENT_CONNECT_MS } from "../db/database.ts";
import { explaining, startEmbedded } from "../db/embedded/embedded.ts";
import { type Keys, takeUpKeys } from "../db/keys.ts";
import { finishInBackground, migrate } from "../db/migrate.ts";
import { openReplicas, type Replicas } from "../db/replicas.ts";
import { separatePrograms } from "../db/roles.ts";
import { type ProgramAddresses, throughPooler } from "../db/through-pooler.ts";
import { buildApi } from "../directory/api/app.ts";
import { buildAuth } from "../directory/auth/app.ts";
import { directoryDeps } from "../directory/deps.ts";
import type { Logger } from "../http/logger.ts";

export async function buildDirectory(parts: {
  config: Config;
  database: Database;
  replicas?: Replicas | undefined;
  log: Logger;
  stopping?: AbortSignal;
}): Promise<{ auth: FastifyInstance; api: FastifyInstance }> {
  const { config, log, stopping, replicas } = parts;
  const deps = { ...directoryDeps(parts), config, log, stopping };
  return { auth: await buildAuth(deps), api: await buildApi({ ...deps, replicas }) };
}

export type Closers = (() => Promise<unknown>)[];

export interface Databases extends Record<Keys["schema"], Database> {
  /** Of the owner, for what needs a session. */
  url: string;
  addresses: ProgramAddresses;
  /** Whether Citus distributes the venues. */
  isDistributed: boolean;
  replicas: Replicas | undefined;
}

interface Opening {
  keys: Keys[];
  log: Logger;
  closers: Closers;
}

/** Starts the embedded database unless there is another, migrates it and opens each program's own access. */
export async function openDatabases(config: Config, opening: Opening): Promise<Databases> {
  const url = config.directDatabaseUrl ?? config.databaseUrl;
  if (url !== undefined) return naming(sessionSetting(config), () => openAt(url, config, opening));
  const starting = startEmbedded({ dir: config.dataDir });
  opening.closers.push(async () => (await starting.catch(() => undefined))?.stop()); // also of a start that is cut off here
  const embedded = await starting;
  return explaining(config.dataDir, () => openAt(embedded.url, config, opening));
}

async function openAt(url: string, config: Config, { keys, log, closers }: Opening): Promise<Databases> {
  const options = { log: (message: string) => log.info(message) };
  await migrate(url, options);
  closers.push(finishInBackground(url, options).stop);
  const warn = (message: string) => log.warn(message);
  const urls = await separatePrograms(url, warn);
  const owner = openDatabase(url, { ...options, patience: PATIENT_CONNECT_MS, connectMs: PATIENT_CONNECT_MS });
  await takeUpKeys(owner.pool, keys).finally(owner.close);
  const pooler = config.directDatabaseUrl && config.databaseUrl;
  const addresses = pooler ? await throughPooler(pooler, urls, warn) : urls;
  const { isDistributed } = urls;
  const app = openDatabase(addresses.app, { ...options, name: "app", isDistributed });
  const directory =
    addresses.directory === addresses.app
      ? app
      : openDatabase(addresses.directory, { ...options, name: "directory", isDistributed });
  closers.push(() => Promise.all([app.close(), directory.close()]));
  const hasReplicas = config.readDatabaseUrls.length > 0 && config.roles.has("directory");
  const about = { primary: directory.pool, role: urls.roles?.directory, log: warn };
  const replicas = hasReplicas ? openReplicas(config.readDatabaseUrls, about) : undefined;
  closers.push(async () => replicas?.close());
  return { url, addresses, isDistributed, replicas, app, directory };
}
