import { setTimeout as after } from "node:timers/promises";
import type { HarmonizationState } from "../db/generated/enums.ts";
import { patiently } from "../db/patiently.ts";
import { addListings } from "./add/add-listings.ts";
import { annotateListings } from "./annotate/annotate-listings.ts";
import { searchConflicts } from "./conflicts/search.ts";
import { copiedFrom, copyRows } from "./file/copy-rows.ts";
import { readListings } from "./file/read-listings.ts";
import { tryOut } from "./file/trial.ts";
import { matchListings } from "./match/match-listings.ts";
import { retryListings } from "./match/retry-listings.ts";
import { judgePositions } from "./positions/task.ts";
import { deleteAll } from "./run/deletion.ts";
import type { Harmonizer } from "./run/deps.ts";
import { type Harmonization, loadHarmonization, mayGoOn } from "./run/harmonizations.ts";
import { measureTask, readQueue } from "./run/metrics.ts";
import { sendNext } from "./run/next-tasks.ts";
import type { Task } from "./run/queue.ts";
import { startSupervising } from "./supervise.ts";

interface Options {
  log: { warn(details: object, message: string): void };
}

/** Of a file. */
const MOST_LISTINGS = 1_000_000;
/** Tasks at a time: while one waits for the directory, another writes. */
const AT_ONCE = 2;
/** It looks twice a second, and a look fails after five seconds at most. */
const STUCK_MS = 12_000;
/** Most calls are answered soon; a directory in this process would work on at one that is broken off. */
const CALL_MS = 1000;
/** What has not ended so long after its calls were broken off is left to another worker. */
const STOP_MS = 1500;

/**
 * Works on harmonizations, whoever began them, until it is stopped; then hands back what it has begun with. Any number of
 * processes may do so: each task is one worker's at a time, and that of a worker that is gone another's after a few seconds.
 */
export async function startWorker(deps: Harmonizer, { log }: Options) {
  const stopping = new AbortController();
  const breakingOff = new AbortController();
  const stopWork = await deps.queue.work(AT_ONCE, async (task, given) => {
    const signal = AbortSignal.any([given, stopping.signal]);
    const calls = AbortSignal.any([given, breakingOff.signal]);
    const sayAway = (err: unknown) => log.warn({ err, task }, "the database does not answer: a task is tried again");
    const end = measureTask(task.kind);
    // The queue would only notice later that nobody works on the task.
    await patiently(() => runTask(deps, task, { signal, calls }), { signal, onFirst: sayAway }).then(
      () => end("finished"),
      (err) => {
        if (!signal.aborted && err.name === "AbortError") return end("finished"); // it was paused or cancelled
        if (!signal.aborted) log.warn({ err, task }, "a task failed and will be tried again");
        end(signal.aborted ? "handed_back" : "failed");
        throw err;
      },
    );
  });
  const supervision = startSupervising(deps, (err) => log.warn({ err }, "the supervision of harmonizations failed"));
  return {
    /** What keeps it from its work: it has not looked for tasks for a while. Empty when nothing does. */
    problems(): string[] {
      const idleMs = deps.queue.idleMs();
      return idleMs > STUCK_MS ? [`the worker has not looked for tasks for ${Math.round(idleMs / 1000)} seconds`] : [];
    },
    /** Brings the metrics of its queue up to date. */
    measure: () => readQueue(deps.queue),
    /**
     * Begins nothing more, and ends when what is under way has ended, or else some time after its calls were broken off.
     *
     * @param callMs patience with calls, in milliseconds
     */
    async stop(callMs = CALL_MS): Promise<void> {
      stopping.abort();
      const ended = Promise.all([stopWork(), supervision.stop()]);
      await Promise.race([ended, after(callMs, undefined, { ref: false })]);
      breakingOff.abort();
      await Promise.race([ended, after(STOP_MS, undefined, { ref: false })]);
    },
  };
}

interface Run {
  /** Nothing more is begun. */
  signal: AbortSignal;
  /** Later: what the directory is being asked about many listings is broken off. */
  calls: AbortSignal;
}

/** In the order in which a file goes through them; `trial` and `positions` look ahead. */
const RUN: Record<Task["kind"], (deps: Harmonizer, h: Harmonization, run: Run & { chunk: number }) => Promise<void>> = {
  read: (deps, h, run) =>
    copiedFrom(h) ? copyRows(deps, h, run) : readListings(deps, h, { ...run, most: MOST_LISTINGS }),
  trial: tryOut,
  positions: async (deps, h, run) => void (await judgePositions(deps, h, run)),
  match: matchListings,
  retry: retryListings,
  add: addListings,
  annotate: annotateListings,
  conflicts: searchConflicts,
  delete: deleteAll,
};

/** Others are done in any state. */
const STATES: Partial<Record<Task["kind"], HarmonizationState>> = {
  read: "reading",
  trial: "draft",
  match: "matching",
  retry: "matching",
  add: "adding",
  annotate: "annotating",
};

async function runTask(deps: Harmonizer, { kind, harmonizationId: id, chunk = 0 }: Task, run: Run): Promise<void> {
  const state = STATES[kind];
  if (state && !(await mayGoOn(deps, id, state))) return;
  const h = await loadHarmonization(deps, id);
  if (!h) return;
  await RUN[kind](deps, h, { ...run, chunk });
  const now = !state || kind === "trial" ? undefined : await loadHarmonization(deps, id);
  if (now && (await mayGoOn(deps, id, now.state))) await sendNext(deps, id, now.state);
}
