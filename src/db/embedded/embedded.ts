import { realpathSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { openDataDir } from "../../shared/data-dir.ts";
import { KnownError } from "../../shared/errors.ts";
import { execute } from "../sql.ts";
import { type Cluster, clusterUrl, connect, ensureRunning, openCluster, stopServer } from "./cluster.ts";
import { withFileLock } from "./file-lock.ts";
import { lackOfSpace } from "./files.ts";
import { embeddedHome } from "./outside.ts";

interface EmbeddedDatabase {
  /** Contains the password: never log it. */
  url: string;
  /** Whether the server was already running: for another process, or since this one was killed. */
  adopted: boolean;
  /** Stops the server unless another process uses it. Close your own pools before. */
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  /** Contains pg/ (the cluster) and pg.secret (its password), or pg.home, a link to the folder with both. */
  dir: string;
  outside?: string[];
  database?: string;
  settings?: Record<string, string>;
  log?: (message: string) => void;
}

/** The folders of the servers that this process uses. */
const homes = new Set<string>();

export const embeddedHomes = (): string[] => [...homes];

// Every process that uses the server holds one connection of this name. The last one stops the server.
const KEEPER = "samespot keeper";

/** Starts the packaged PostgreSQL on the data in `dir`, or adopts its running server. Restarts a killed server on the same port. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { database = "samespot", settings = {}, log = () => {} } = options;
  const locked = <T>(work: (home: string) => Promise<T>) => {
    openDataDir(options.dir);
    const home = realpathSync(options.dir);
    return withFileLock(path.join(home, "pg.lock"), 120_000, () => work(home));
  };

  let stopped = false;
  let keeper: pg.Client | undefined;
  const begin = async (home: string) => {
    const cluster = await openCluster(home, settings, options.outside);
    const running = await ensureRunning(cluster);
    try {
      await createDatabase(await hold(cluster, running.port), database);
    } catch (error) {
      stopped = true;
      await leave(cluster, running.adopted).catch(() => {});
      throw error;
    }
    return { cluster, ...running };
  };
  const { cluster, port, adopted } = await explaining(options.dir, () => locked(begin));

  async function hold(cluster: Cluster, port: number): Promise<pg.Client> {
    keeper = await connect(cluster, port, "postgres", KEEPER);
    keeper.once("end", () => revive(cluster, port));
    homes.add(path.dirname(cluster.data));
    return keeper;
  }

  async function revive(cluster: Cluster, port: number): Promise<void> {
    while (!stopped) {
      log("The embedded PostgreSQL went away; starting it again.");
      try {
        return await locked(async () => {
          if (stopped) return;
          await ensureRunning(cluster, port);
          await hold(cluster, port);
        });
      } catch (error) {
        log((error as Error).message);
        await sleep(5000, undefined, { ref: false });
      }
    }
  }

  async function stop(): Promise<void> {
    if (stopped) return;
    stopped = true;
    await locked(() => leave(cluster, true));
  }

  /** @param adopted whether others may use the server, if that cannot be asked */
  async function leave(cluster: Cluster, adopted: boolean): Promise<void> {
    const alone = keeper ? await isAlone(keeper) : !adopted;
    await keeper?.end();
    if (alone) await stopServer(cluster);
    homes.delete(path.dirname(cluster.data));
  }

  return { url: clusterUrl(cluster, port, database), adopted, stop };
}

/**
 * Runs `work` on the embedded database of `dir`.
 *
 * @throws the error of `work`; if the disk is full an Error that says so, whatever PostgreSQL, SQLite or Node call it
 */
export async function explaining<T>(dir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const lack =
      error instanceof KnownError ? undefined : await lackOfSpace(embeddedHome(dir), error).catch(() => undefined);
    throw lack ? new Error(lack, { cause: error }) : error;
  }
}

async function createDatabase(keeper: pg.Client, database: string): Promise<void> {
  const known = await execute(keeper)`SELECT FROM pg_database WHERE datname = ${database}`;
  if (known === 0) await keeper.query(`CREATE DATABASE ${keeper.escapeIdentifier(database)}`);
}

/** Returns false, too, if the server does not respond; the next start deals with it. */
async function isAlone(keeper: pg.Client): Promise<boolean> {
  const others = execute(keeper)`
    SELECT FROM pg_stat_activity WHERE application_name = ${KEEPER} AND pid <> pg_backend_pid()`;
  return others.then(
    (count) => count === 0,
    () => false,
  );
}
