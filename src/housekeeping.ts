import { setTimeout as after } from "node:timers/promises";
import type { Config } from "./config.ts";
import type { Database } from "./db/database.ts";
import { sweepDirectory } from "./directory/sweep.ts";
import type { Logger } from "./http/logger.ts";
import { sweepWeb } from "./web/sweep.ts";

const EVERY_MS = 60 * 60 * 1000;
/** How long the end waits for a sweep under way. Gathering places anew may take minutes; cut short, it is done again. */
const STOP_MS = 1000;

/** Deletes what has run out (sessions, log-in attempts, codes) at start and every hour, for the parts this process runs. */
export function startHousekeeping({
  config,
  database,
  log,
}: {
  config: Pick<Config, "roles">;
  database: Database;
  log: Logger;
}) {
  const { roles } = config;
  const sweeps = [roles.has("directory") && sweepDirectory, (roles.has("app") || roles.has("worker")) && sweepWeb];
  const sweepAll = async () => {
    for (const sweep of sweeps) {
      if (sweep) await sweep(database.pool).catch((err: unknown) => log.warn({ err }, "housekeeping failed"));
    }
  };
  let running = sweepAll();
  const timer = setInterval(() => {
    running = sweepAll();
  }, EVERY_MS);
  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      await Promise.race([running, after(STOP_MS, undefined, { ref: false })]);
    },
  };
}
