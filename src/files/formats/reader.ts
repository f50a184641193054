// The program that apart.ts starts for each file that is no delimited text. It has no settings and no database: it asks for
// the bytes of the file, and sends its rows.
import { flushCompileCache } from "node:module";
import { Worker } from "node:worker_threads";
import { END_SIGNALS } from "../../shared/signals.ts";
import type { Work } from "./apart.ts";
import { secondsFor } from "./base/limits.ts";
import type { Answer } from "./base/questions.ts";
import type { Watch } from "./reader-watch.ts";
import { readFor } from "./reading.ts";

for (const signal of END_SIGNALS) process.on(signal, () => {}); // the server's end: it finishes its requests
process.on("disconnect", () => process.exit());

const begun = ({ size }: Work) => {
  const watch: Watch = { parent: process.ppid, cpuSeconds: secondsFor(size) };
  new Worker(new URL("./reader-watch.ts", import.meta.url), { workerData: watch });
  flushCompileCache(); // the next reader starts three times as fast; the end of this one, by SIGKILL, would not write it
};
const answered = readFor((sent) => process.send?.(sent), begun);
process.on("message", (answer: Answer) => answered(answer));
