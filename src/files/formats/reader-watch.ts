// A thread of reader.ts that ends the process: if it takes too much memory, because V8 limits its heap but does not count the
// bytes of arrays and buffers; if it takes too long; or if the server has left it behind (attacks F74).
import { workerData } from "node:worker_threads";
import { MOST_MEMORY, OUT_OF_TIME } from "./base/limits.ts";

export interface Watch {
  /** Process id of the server. */
  parent: number;
  /** Of a processor: other work on the machine does not count. */
  cpuSeconds: number;
}

const LOOK_MS = 5;
const { parent, cpuSeconds }: Watch = workerData;

setInterval(() => {
  const { user, system } = process.cpuUsage();
  if (process.memoryUsage.rss() > MOST_MEMORY || process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  else if ((user + system) / 1e6 > cpuSeconds) process.kill(process.pid, OUT_OF_TIME);
}, LOOK_MS);
