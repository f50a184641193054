// The program that apart.ts starts for each file that is no delimited text. It has no settings and no database: it asks for
// the bytes of the file, and sends its rows.
import { flushCompileCache } from "node:module";
import { Worker } from "node:worker_threads";
import { KnownError } from "../../shared/errors.ts";
import { END_SIGNALS } from "../../shared/signals.ts";
import type { Question, Sent, Work } from "./apart.ts";
import { secondsFor } from "./base/limits.ts";
import { type Answer, createQuestions } from "./base/questions.ts";
import { sourceOfPieces } from "./base/source.ts";
import { openFile } from "./convert.ts";
import type { Watch } from "./reader-watch.ts";

for (const signal of END_SIGNALS) process.on(signal, () => {}); // the server's end: it finishes its requests
process.on("disconnect", () => process.exit());

const send = (sent: Sent) => process.send?.(sent);
const { ask, answered } = createQuestions<Question>(send);
process.on("message", (answer: Answer) => answered(answer));

try {
  const work = await ask<Work>({ is: "work" });
  const watch: Watch = { parent: process.ppid, cpuSeconds: secondsFor(work.size) };
  new Worker(new URL("./reader-watch.ts", import.meta.url), { workerData: watch });
  flushCompileCache(); // the next reader starts three times as fast; the end of this one, by SIGKILL, would not write it
  const source = sourceOfPieces(work.size, (start, end) => ask({ is: "read", start, end }));
  const { bytes, ...opened } = await openFile(source, work);
  send({ is: "opened", ...opened });
  let piece = await bytes.next();
  for (; !piece.done; piece = await bytes.next()) await ask({ is: "piece", bytes: piece.value });
  send({ is: "end", format: piece.value });
} catch (error) {
  if (error instanceof KnownError) send({ is: "refused", status: error.status, message: error.message });
  else send({ is: "failed", why: error instanceof Error ? String(error.stack) : String(error) });
}
