// Works like src/main.ts with ROLES=worker, but kills itself at the points that its parent has sent.

import { readConfig } from "../../src/config/config.ts";
import { openDatabase } from "../../src/db/database.ts";
import { startWorker } from "../../src/harmonize/worker.ts";
import { createLogger } from "../../src/http/logger.ts";
import { createWeb } from "../../src/web/create-web.ts";
import { withPoints } from "../harmonize/points.ts";

/** Deadline of calls to the directory, shorter than in production so that a frozen directory is noticed sooner. */
const DEADLINE_MS = 3000;

const { DATABASE_URL = "" } = process.env;
let points: string[] = [];
process.on("message", (told: string[]) => {
  points = told;
});
process.once("disconnect", () => process.exit()); // the parent is gone
const endAt = (name: string) => {
  if (!points.includes(name)) return;
  console.log(`ends at <${name}>`);
  process.kill(process.pid, "SIGKILL");
};
const config = readConfig(process.env);
const log = createLogger({ level: config.logLevel });
const database = openDatabase(DATABASE_URL);
const web = createWeb({ config, database, address: DATABASE_URL, log, deadlineMs: DEADLINE_MS });
await startWorker(withPoints(web.harmonizer, endAt), { log });
console.log("works");
