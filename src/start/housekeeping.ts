import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { searchWhenDue } from "../directory/duplicates/chore.ts";
import { resumeRemoval } from "../directory/sample/remove.ts";
import { sweepDirectory } from "../directory/sweep.ts";
import { renormalizeVenues } from "../directory/venues/renormalize.ts";
import type { Logger } from "../http/logger.ts";
import type { Web } from "../web/base/deps.ts";
import { sweepFiles, sweepWeb } from "../web/base/sweep.ts";
import { createSecretKeeper } from "../web/client-secret/keeper.ts";

const HOUR_MS = 60 * 60 * 1000;
const SECRETS_EVERY_MS = 15_000;
const DUPLICATES_EVERY_MS = 15_000;
const STOP_MS = 1000;

interface Parts {
  config: Pick<Config, "roles">;
  database: Pick<Database, "pool" | "prisma">;
  log: Logger;
  web?: Web | undefined;
}

/**
 * At start and every hour, deletes expired rows, and continues what an upgrade or a removal of the demo data has left to do. Searches for
 * duplicates at night, and when an operator asks.
 */
export function startHousekeeping({ config: { roles }, database, log, web }: Parts) {
  const { pool } = database;
  const sweeps = [];
  if (roles.has("directory")) {
    sweeps.push(async () => void (await renormalizeVenues(pool, { log: (message) => log.info(message) })));
    sweeps.push(() => resumeRemoval(database));
    sweeps.push(() => sweepDirectory(pool));
  }
  if (web) {
    sweeps.push(() => sweepWeb(web.pool));
    sweeps.push(() => sweepFiles(web, log));
  }
  const chores = [regularly(HOUR_MS, sweeps, log)];
  if (web) chores.push(regularly(SECRETS_EVERY_MS, [createSecretKeeper(web, log)], log));
  const ending = new AbortController();
  const search = () => searchWhenDue(pool, ending.signal);
  if (roles.has("directory")) chores.push(regularly(DUPLICATES_EVERY_MS, [search], log));
  return {
    async stop(): Promise<void> {
      ending.abort();
      await Promise.all(chores.map((chore) => chore.stop()));
    },
  };
}

function regularly(everyMs: number, chores: (() => Promise<void>)[], log: Logger) {
  let running: Promise<void> | undefined;
  let stopped = false;
  const doAll = async () => {
    for (const chore of chores) {
      if (stopped) return;
      await chore().catch((err: unknown) => {
        if (!stopped) log.warn({ err }, "housekeeping failed"); // the next start does what the end of the pools has cut off
      });
    }
    running = undefined;
  };
  const start = () => {
    running ??= doAll();
  };
  start();
  const timer = setInterval(start, everyMs);
  return {
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await Promise.race([running, sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}
