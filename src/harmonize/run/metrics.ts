import { Counter, Gauge, Histogram } from "prom-client";
import type { Queue } from "./queue.ts";

const begun = new Counter({
  name: "samespot_tasks_begun_total",
  help: "Tasks that the worker of this process began, by kind",
  labelNames: ["kind"],
});

const seconds = new Histogram({
  name: "samespot_task_seconds",
  help: "Time from the beginning of a task to its end, by kind and outcome (finished, failed, handed_back)",
  labelNames: ["kind", "outcome"],
  buckets: [0.1, 0.5, 2, 10, 60, 600],
});

const listings = new Counter({
  name: "samespot_listings_total",
  help: "Listings that the worker of this process is done with, by kind of task",
  labelNames: ["kind"],
});

const idle = new Gauge({
  name: "samespot_queue_idle_seconds",
  help: "Time since the worker of this process last looked for a task or had one",
});

const queued = new Gauge({
  name: "samespot_queue_tasks",
  help: "Tasks of all processes together, by state (waiting, active)",
  labelNames: ["state"],
});

export function measureTask(kind: string): (outcome: "finished" | "failed" | "handed_back") => void {
  begun.inc({ kind });
  const end = seconds.startTimer({ kind });
  return (outcome) => end({ outcome });
}

export function countListings(kind: "match" | "add" | "annotate", count = 1): void {
  listings.inc({ kind }, count);
}

/** Omits the counts if the database is unavailable. */
export async function readQueue(queue: Queue): Promise<void> {
  idle.set(queue.idleMs() / 1000);
  const counts = await queue.count().catch(() => undefined);
  queued.reset();
  for (const [state, count] of Object.entries(counts ?? {})) queued.set({ state }, count);
}
