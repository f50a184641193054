import type { Patiently } from "../../db/unavailable.ts";
import { startWorker } from "../../harmonize/worker.ts";
import { ownVersion } from "../../shared/version.ts";
import { startHeartbeat } from "../../web/base/instances.ts";
import type { Reached } from "./directory.ts";

export interface Waiting {
  signal: AbortSignal;
  patiently: Patiently;
}

/** Our directory answers every call within eight seconds. */
const LAST_CALLS_MS = 10_000;

/** Runs a worker, visible to the web app by its heartbeat, during `work`. */
export async function asWorker<T>(
  { harmonizer, log, signal, patiently }: Pick<Reached, "harmonizer" | "log"> & Waiting,
  work: () => Promise<T>,
): Promise<T> {
  const { stop, problems } = await patiently(() => startWorker(harmonizer, { log }));
  const onFailure = (err: unknown) => log.warn({ err }, "the heartbeat failed");
  const about = { roles: ["worker"], version: ownVersion(), problems, onFailure };
  const heartbeat = await startHeartbeat(harmonizer.pool, about);
  try {
    return await work();
  } finally {
    // It may have started tasks of other runs; after Ctrl-C, do not wait for them.
    await stop(signal.aborted ? undefined : LAST_CALLS_MS);
    await heartbeat.stop();
  }
}
