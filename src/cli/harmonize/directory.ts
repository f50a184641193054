import { createServer } from "node:net";
import type { Config } from "../../config/config.ts";
import { openDatabase } from "../../db/database.ts";
import { isUnavailable, type Patiently } from "../../db/unavailable.ts";
import type { Harmonizer } from "../../harmonize/run/deps.ts";
import { createLogger, type Logger } from "../../http/logger.ts";
import { KnownError } from "../../shared/errors.ts";
import { buildDirectory } from "../../start/directory.ts";
import { prepareDirectory } from "../../start/setup.ts";
import { createWeb } from "../../web/create-web.ts";
import type { Context } from "../with-directory.ts";

const ANSWERS_WITHIN_MS = 2000;

export interface Reached {
  harmonizer: Harmonizer;
  log: Logger;
  close(): Promise<void>;
}

/** As in a server's worker: detects a dead database soon. */
const STATEMENT_MS = 5000;

/**
 * Uses the directory at BASE_URL if it answers, or else starts one in this process if ROLES allows. Throws KnownError
 * 503.
 *
 * @param isPrivate whether to start one in any case: what answers at BASE_URL is another
 */
export async function reachDirectory(
  { config, urls }: Context,
  patiently: Patiently,
  isPrivate: boolean,
): Promise<Reached> {
  // The command itself reports an unavailable database.
  const log = createLogger({ level: "warn", destination: process.stderr, leavesOut: isUnavailable });
  const database = openDatabase(urls.app, { patience: STATEMENT_MS });
  // With the role of a worker, which also supervises.
  const parts = {
    config: { ...config, roles: new Set([...config.roles, "worker" as const]) },
    database,
    address: urls.app,
    log,
  };
  const web = createWeb(parts);
  const closers: (() => Promise<unknown>)[] = [database.close, web.close];
  const close = async () => {
    for (const step of closers.splice(0).reverse()) await step();
  };
  try {
    const isOwn = config.roles.has("directory");
    const status = isPrivate ? undefined : await healthOf(config.api.url);
    // Other directories may have no /healthz.
    if (status === 200 || (status !== undefined && !isOwn)) return { harmonizer: web.harmonizer, log, close };
    if (!isOwn)
      throw new KnownError(
        503,
        "unavailable",
        `The directory at ${config.api.url} does not answer. Start it, or correct BASE_URL.`,
      );
    const { isDistributed } = urls;
    await patiently(() => prepareDirectory({ ...parts, url: urls.owner, isDistributed }));
    const here = await onFreePorts(config);
    const directory = openDatabase(urls.directory, { patience: STATEMENT_MS, isDistributed });
    closers.push(directory.close);
    const { auth, api } = await buildDirectory({ config: here, database: directory, log });
    closers.push(() => Promise.all([auth.close(), api.close()]));
    await auth.listen({ host: here.auth.host, port: here.auth.port });
    await api.listen({ host: here.api.host, port: here.api.port });
    const local = createWeb({ ...parts, config: { ...parts.config, auth: here.auth, api: here.api } });
    closers.push(local.close);
    return { harmonizer: { ...web.harmonizer, directory: local.directory }, log, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function healthOf(url: string): Promise<number | undefined> {
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  return fetch(new URL("/healthz", url), { signal, redirect: "manual" }).then(
    ({ status }) => status,
    () => undefined,
  );
}

async function onFreePorts(config: Config): Promise<Config> {
  const [auth, api] = await Promise.all([addressHere(), addressHere()]);
  return { ...config, auth, api, tls: undefined };
}

function addressHere(): Promise<Config["api"]> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => resolve({ url: `http://127.0.0.1:${port}`, host: "127.0.0.1", port }));
    });
  });
}
