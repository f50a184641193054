import { setTimeout as sleep } from "node:timers/promises";
import type { HarmonizationState } from "../db/generated/enums.ts";
import { patiently } from "../db/unavailable.ts";
import { randomId } from "../shared/crypto.ts";
import { withRequestId } from "../shared/request-id.ts";
import { addListings } from "./add/add-listings.ts";
import { undoListings } from "./add/undo-listings.ts";
import { annotateListings } from "./annotate/annotate-listings.ts";
import { takeOver } from "./bridge/take-over.ts";
import { lookForChanges } from "./changes/look.ts";
import { searchConflicts } from "./conflicts/search.ts";
import { copiedFrom, copyRows } from "./file/copy-rows.ts";
import { readListings } from "./file/read-listings.ts";
import { tryOut } from "./file/trial.ts";
import { matchPending } from "./match/match-listings.ts";
import { retryListings } from "./match/retry-listings.ts";
import { judgePositions } from "./positions/task.ts";
import { applyRepairs } from "./repairs/apply.ts";
import { deleteAll } from "./run/deletion.ts";
import type { Harmonizer } from "./run/deps.ts";
import { type Harmonization, loadHarmonization, mayGoOn } from "./run/harmonizations.ts";
import { measureTask, readIdleTime, type TaskOutcome } from "./run/metrics.ts";
import { sendNext } from "./run/next-tasks.ts";
import type { Problem } from "./run/problems/problems.ts";
import type { Queue, Task } from "./run/queue.ts";
import { startSupervising } from "./supervise.ts";
import { deliverDue } from "./webhook/deliver.ts";

interface Options {
  log: Record<"info" | "warn", (details: object, message: string) => void>;
}

/** While one task waits for the directory, another writes. */
const AT_ONCE = 2;
/** It polls twice a second, and a poll times out after five seconds. */
const STUCK_MS = 12_000;
/** Most calls end sooner; a directory in the same process would keep working on aborted ones. */
const CALL_MS = 1000;
const STOP_MS = 1500;

/** Runs tasks until stopped. Each task has one worker; another takes over a few seconds after it dies. */
export async function startWorker(deps: Harmonizer, { log }: Options) {
  const stopping = new AbortController();
  const breakingOff = new AbortController();
  const work: Parameters<Queue["work"]>[1] = async (task, given) => {
    const signal = AbortSignal.any([given, stopping.signal]);
    const calls = AbortSignal.any([given, breakingOff.signal]);
    const sayAway = (err: unknown) =>
      log.warn({ err, request, task }, "the database is unavailable: a task will be retried");
    const end = measureTask(task.kind);
    const request = randomId();
    const begun = performance.now();
    const finish = (outcome: TaskOutcome) => {
      end(outcome);
      log.info({ request, task, outcome, ms: Math.round(performance.now() - begun) }, "task");
    };
    // Without this, the queue would notice an interrupted task only later.
    const run = () => withRequestId(request, () => runTask(deps, task, { signal, calls }));
    await patiently(run, { signal, onFirst: sayAway }).then(
      () => finish("finished"),
      (err) => {
        if (!signal.aborted && err.name === "AbortError") return finish("finished"); // paused or cancelled
        if (!signal.aborted) log.warn({ err, request, task }, "a task failed and will be retried");
        finish(signal.aborted ? "handed_back" : "failed");
        throw err;
      },
    );
  };
  const stopWork = await patiently(() => deps.queue.work(AT_ONCE, work));
  let stopped: Promise<void> | undefined;
  const supervision = startSupervising(deps, (err) => log.warn({ err }, "the supervision of harmonizations failed"));
  return {
    problems(): Problem[] {
      const idleMs = deps.queue.idleMs();
      return idleMs > STUCK_MS ? [{ code: "worker_idle", seconds: Math.round(idleMs / 1000) }] : [];
    },
    measure: () => readIdleTime(deps),
    /** Starts nothing more and waits for running tasks. Aborts their calls after `callMs` milliseconds. */
    stop(callMs = CALL_MS): Promise<void> {
      stopped ??= stop(callMs);
      return stopped;
    },
  };

  async function stop(callMs: number): Promise<void> {
    stopping.abort();
    const ended = Promise.all([stopWork(), supervision.stop()]);
    await Promise.race([ended, sleep(callMs, undefined, { ref: false })]);
    breakingOff.abort();
    await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
  }
}

interface Run {
  signal: AbortSignal;
  calls: AbortSignal;
}

/** In order of a file's progress; `trial` and `positions` run ahead. */
const RUN: Record<Task["kind"], (deps: Harmonizer, h: Harmonization, run: Run & { portion: number }) => Promise<void>> =
  {
    read: (deps, h, run) => (copiedFrom(h) ? copyRows(deps, h, run) : readListings(deps, h, run)),
    trial: tryOut,
    positions: async (deps, h, run) => void (await judgePositions(deps, h, run)),
    match: matchPending,
    retry: async (deps, h, run) => {
      if (await applyRepairs(deps, h, run)) await retryListings(deps, h, run);
    },
    add: addListings,
    annotate: annotateListings,
    undo: undoListings,
    conflicts: searchConflicts,
    bridge: takeOver,
    changes: lookForChanges,
    webhook: deliverDue,
    delete: deleteAll,
  };

/** The other kinds run in any state. */
const STATES: Partial<Record<Task["kind"], HarmonizationState>> = {
  read: "reading",
  trial: "draft",
  match: "matching",
  retry: "matching",
  add: "adding",
  annotate: "annotating",
  undo: "undoing",
};

async function runTask(deps: Harmonizer, { kind, harmonizationId: id, portion = 0 }: Task, run: Run): Promise<void> {
  const state = STATES[kind];
  if (state && !(await mayGoOn(deps, id, state))) return;
  const h = await loadHarmonization(deps, id);
  if (!h) return;
  await RUN[kind](deps, h, { ...run, portion });
  const now = !state || kind === "trial" ? undefined : await loadHarmonization(deps, id);
  if (now && (await mayGoOn(deps, id, now.state))) await sendNext(deps, id, now.state);
}
