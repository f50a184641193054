import closeWithGrace from "close-with-grace";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { openDatabase } from "./db/database.ts";
import { startEmbedded } from "./db/embedded.ts";
import { migrate } from "./db/migrate.ts";
import { buildDirectory } from "./directory/app.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { createLogger, type Logger } from "./http/logger.ts";
import { serveMetrics } from "./http/metrics.ts";
import { prepareDirectory } from "./setup.ts";
import { buildWeb } from "./web/app.ts";

export interface Samespot {
  /** The sample account, when there is one; `password` is missing once its owner has changed it. */
  demo: { handle: string; password: string | undefined } | undefined;
  close(): Promise<void>;
}

/**
 * Starts the parts that ROLES names: configuration → database → migrations → what must always be there → listeners.
 * Resolves when every listener answers; `close` ends in the opposite order and loses no request in flight.
 */
export async function startSamespot(config: Config, log: Logger): Promise<Samespot> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const step of closers.splice(0).reverse()) await step();
  };
  let demo: Samespot["demo"];
  try {
    const url = config.databaseUrl ?? (await embeddedUrl(config, closers));
    const say = (message: string) => log.info(message);
    await migrate(url, { log: say });
    const database = openDatabase(url, { log: say });
    closers.push(() => database.close());
    const parts = { config, database, log };

    if (config.roles.has("directory")) {
      demo = await prepareDirectory({ ...parts, url });
      const { auth, api } = await buildDirectory(parts);
      closers.push(() => Promise.all([auth.close(), api.close()]));
      await auth.listen({ host: config.auth.host, port: config.auth.port });
      await api.listen({ host: config.api.host, port: config.api.port });
    }
    if (config.roles.has("app")) {
      const web = await buildWeb(parts);
      closers.push(() => web.close());
      await web.listen({ host: config.web.host, port: config.web.port });
    }
    if (config.metricsPort !== undefined) {
      const metrics = await serveMetrics({ host: config.web.host, port: config.metricsPort });
      closers.push(async () => metrics.close());
    }
    const housekeeping = startHousekeeping(parts);
    closers.push(() => housekeeping.stop());
    return { demo, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function embeddedUrl(config: Config, closers: (() => Promise<unknown>)[]): Promise<string> {
  const embedded = await startEmbedded({ dir: config.dataDir });
  closers.push(() => embedded.stop());
  return embedded.url;
}

/** `npm start`: runs until SIGINT or SIGTERM, then drains and exits 0; a second signal ends it at once. */
export async function serve(env: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(env);
  const log = createLogger({ level: config.logLevel });
  const samespot = await startSamespot(config, log);
  closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
    if (err) log.fatal({ err }, "ending after an unexpected error");
    await samespot.close();
  });
  if (config.roles.has("app")) console.log(`Open ${config.web.url}`);
  if (samespot.demo) {
    console.log(`Demo account: ${samespot.demo.handle} / ${samespot.demo.password ?? "(the password you gave it)"}`);
  }
}

/** Runs a command and turns an error into one clear message and exit code 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    const isForeseen = error instanceof ConfigError || (error instanceof Error && error.name === "KnownError");
    console.error(isForeseen ? (error as Error).message : error);
    process.exitCode = 1;
  }
}

if (import.meta.main) await runCommand(() => serve(process.env));
