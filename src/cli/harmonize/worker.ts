import pkg from "../../../package.json" with { type: "json" };
import type { Patiently } from "../../db/patiently.ts";
import { startWorker } from "../../harmonize/worker.ts";
import { startHeartbeat } from "../../web/base/instances.ts";
import type { Reached } from "./directory.ts";

/** How long a command goes on, and waits for its database. */
export interface Waiting {
  signal: AbortSignal;
  patiently: Patiently;
}

/** Of a directory; ours answers any within eight seconds. */
const LAST_CALLS_MS = 10_000;

/** Works on whatever is to be done, as the pages of the web app then know, until `work` is over. */
export async function asWorker<T>(
  { harmonizer, log, signal, patiently }: Pick<Reached, "harmonizer" | "log"> & Waiting,
  work: () => Promise<T>,
): Promise<T> {
  const { stop, problems } = await patiently(() => startWorker(harmonizer, { log }));
  const onFailure = (err: unknown) => log.warn({ err }, "the heartbeat failed");
  const about = { roles: ["worker"], version: pkg.version, problems, onFailure };
  const heartbeat = await startHeartbeat(harmonizer.pool, about);
  try {
    return await work();
  } finally {
    // It may have begun with other runs besides. Whoever has interrupted it does not wait for those.
    await stop(signal.aborted ? undefined : LAST_CALLS_MS);
    await heartbeat.stop();
  }
}
