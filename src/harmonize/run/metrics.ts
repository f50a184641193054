import { Counter, Gauge, Histogram } from "prom-client";
import { queryRows } from "../../db/sql.ts";
import type { Harmonizer } from "./deps.ts";
import { KINDS, type QueuedTasks } from "./queue.ts";

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
  help: "Tasks of all processes together, by kind and state (waiting, active)",
  labelNames: ["kind", "state"],
});

const oldest = new Gauge({
  name: "samespot_queue_oldest_seconds",
  help: "How long the oldest waiting task has waited, by kind; 0 if none waits",
  labelNames: ["kind"],
});

const stored = new Gauge({
  name: "samespot_listings",
  help: "Listings of all processes together, by state: pending (to be matched), matched, failed",
  labelNames: ["state"],
});

export type TaskOutcome = "finished" | "failed" | "handed_back";

export function measureTask(kind: string): (outcome: TaskOutcome) => void {
  begun.inc({ kind });
  const end = seconds.startTimer({ kind });
  return (outcome) => end({ outcome });
}

export function countListings(kind: "match" | "add" | "annotate" | "undo", count = 1): void {
  listings.inc({ kind }, count);
}

export const readIdleTime = ({ queue }: Harmonizer): void => idle.set(queue.idleMs() / 1000);

/** Scrapes in between show the same figures, however many there are. */
const FRESH_MS = 10_000;

const lastRead = new WeakMap<Harmonizer, number>();

/** Reads the gauges of all processes. Without the database they are missing. */
export async function readWorkGauges(deps: Harmonizer): Promise<void> {
  if (performance.now() - (lastRead.get(deps) ?? Number.NEGATIVE_INFINITY) < FRESH_MS) return;
  const [tasks, listings] = await Promise.all([queuedTasks(deps), countStored(deps)]).catch(() => []);
  for (const gauge of [queued, oldest, stored]) gauge.reset();
  for (const { kind, waiting, active, oldestSeconds } of tasks ?? []) {
    queued.set({ kind, state: "waiting" }, waiting);
    queued.set({ kind, state: "active" }, active);
    oldest.set({ kind }, oldestSeconds);
  }
  for (const [state, count] of Object.entries(listings ?? {})) stored.set({ state }, count);
  if (tasks) lastRead.set(deps, performance.now());
}

export async function queuedTasks({ queue }: Harmonizer): Promise<QueuedTasks[]> {
  const counts = await queue.count();
  const none = { waiting: 0, active: 0, oldestSeconds: 0 };
  return KINDS.map((kind) => counts.find((each) => each.kind === kind) ?? { kind, ...none });
}

type StoredListings = Record<"pending" | "matched" | "failed", number>;

/** Counts in portions and in an index: counting every status takes ten times as long. */
export async function countStored({ pool, directoryUrl }: Harmonizer): Promise<StoredListings> {
  const rows = await queryRows<StoredListings>(pool)`
    WITH run AS (SELECT id, listing_count FROM app.harmonization WHERE directory = ${directoryUrl}),
     counts AS (SELECT
       (SELECT coalesce(sum(listing_count), 0)::int FROM run) AS total,
       (SELECT coalesce(sum(cardinality(listings)), 0)::int FROM app.portion JOIN run ON id = harmonization_id) AS pending,
       (SELECT count(*)::int FROM run JOIN app.listing ON harmonization_id = id WHERE status = 'failed') AS failed)
     SELECT pending, greatest(0, total - pending - failed) AS matched, failed FROM counts`;
  return rows[0] ?? { pending: 0, matched: 0, failed: 0 };
}
