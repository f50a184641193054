// A process that works on harmonizations as src/main.ts does with ROLES=worker, and ends without a word at the point that
// EXIT_AT names, when it comes there for the first time.
import { readConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/db/database.ts";
import { startWorker } from "../../src/harmonize/worker.ts";
import { createLogger } from "../../src/http/logger.ts";
import { createWeb } from "../../src/web/create-web.ts";

const { DATABASE_URL = "", EXIT_AT } = process.env;
const config = readConfig(process.env);
const log = createLogger({ level: config.logLevel });
const database = openDatabase(DATABASE_URL);
const web = createWeb({ config, database, url: DATABASE_URL, log });
const onStep = (name: string) => {
  if (name === EXIT_AT) process.kill(process.pid, "SIGKILL");
};
const worker = await startWorker(web.harmonizer, { log, onStep });
console.log("works");
process.once("SIGTERM", async () => {
  await worker.stop();
  await web.close();
  await database.close();
});
