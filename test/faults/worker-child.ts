// A process that works on harmonizations as src/main.ts does with ROLES=worker, and ends without a word where it comes to
// one of the points of which its parent told it last.

import { readConfig } from "../../src/config/config.ts";
import { openDatabase } from "../../src/db/database.ts";
import { startWorker } from "../../src/harmonize/worker.ts";
import { createLogger } from "../../src/http/logger.ts";
import { createWeb } from "../../src/web/create-web.ts";
import { withPoints } from "../harmonize/points.ts";

/** Of each call to the directory: shorter than in earnest, so that it is lost sooner where the directory stands still. */
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
const web = createWeb({ config, database, url: DATABASE_URL, log, deadlineMs: DEADLINE_MS });
await startWorker(withPoints(web.harmonizer, endAt), { log });
console.log("works");
