import { setTimeout as sleep } from "node:timers/promises";
import { type Job, PgBoss, type WipData } from "pg-boss";
import { type Address, createPool } from "../../db/connections.ts";
import { CONNECT_MS } from "../../db/database.ts";
import { queryRows } from "../../db/sql.ts";
import { sha256 } from "../../shared/crypto.ts";

export const KINDS = [
  "read",
  "trial",
  "positions",
  "match",
  "retry",
  "add",
  "annotate",
  "undo",
  "conflicts",
  "bridge",
  "changes",
  "webhook",
  "delete",
] as const;

export interface Task {
  kind: (typeof KINDS)[number];
  harmonizationId: string;
  /** With `match`. */
  portion?: number;
}

export interface Queue {
  /** Queues tasks, except those already waiting or running. Early portions come first, so short runs pass long ones. */
  send(tasks: Task | Task[]): Promise<void>;
  /**
   * Runs tasks until the returned function is called, which waits for running ones. Retries a failed task after a
   * second.
   */
  work(atOnce: number, run: (task: Task, signal: AbortSignal) => Promise<void>): Promise<() => Promise<void>>;
  /** Idle time of the slowest loop of `work`. More than a few seconds mean that it is stuck. */
  idleMs(): number;
  /** Omits kinds without tasks. */
  count(): Promise<QueuedTasks[]>;
  close(): Promise<void>;
}

export interface QueuedTasks {
  kind: Task["kind"];
  waiting: number;
  active: number;
  /** Since the oldest waiting task was queued; 0 if none waits. */
  oldestSeconds: number;
}

/** Queues a task at once that the supervision would queue seconds later, so a failure does no harm. */
export const sendEarly = (queue: Pick<Queue, "send">, task: Task): Promise<void> => queue.send(task).catch(() => {});

/** Then another worker gets the task. pg-boss allows no less. */
const HEARTBEAT_SECONDS = 10;
/** pg-boss waits by the system clock, which may be set back by an hour (attacks F15). */
const WAKE_MS = 2000;
/** A dead connection never responds. */
const QUERY_MS = 5000;
/** Receivers of webhooks may be slow: they are called beside all other work (attacks W132). */
const WEBHOOK_LOOPS = { pollingIntervalSeconds: 2, localConcurrency: 4 };
const CLOSE_MS = 2000;
/** While the database is down, polls fail several times a second. */
const COMPLAIN_EVERY_MS = 10_000;

interface Options {
  /** API host of the directory. Each directory has its own queue. */
  directoryUrl: string;
  log: { warn(details: object, message: string): void };
  /** Whether this process requeues the tasks of dead workers. */
  supervises: boolean;
  /** Milliseconds to wait for a connection. */
  connectMs?: number;
}

/** In schema `pgboss` (docs/decisions/0005). Connects on first use, so creating it never fails. */
export function createQueue(
  address: Address,
  { directoryUrl, log, supervises, connectMs = CONNECT_MS }: Options,
): Queue {
  const queue = `harmonize-${Buffer.from(sha256(directoryUrl)).toString("hex", 0, 8)}`;
  const webhooks = `${queue}-webhooks`;
  const queueOf = ({ kind }: Task) => (kind === "webhook" ? webhooks : queue);
  const complain = seldom((err: unknown) => log.warn({ err }, "the queue failed"));
  const times = { connectionTimeoutMillis: connectMs, query_timeout: QUERY_MS };
  const settings = { application_name: "samespot queue", ...times, max: 3 };
  const pool = createPool("queue", address, settings, complain);
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    createSchema: false, // the migrations create it
    schedule: false,
    supervise: supervises,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    maintenanceIntervalSeconds: 60,
    warningQueueSize: 100_000,
  });
  boss.on("error", complain);
  let starting: Promise<void> | undefined;
  const started = () => {
    starting ??= start(boss, [queue, webhooks]).catch((error) => {
      starting = undefined; // the next use retries
      throw error;
    });
    return starting;
  };
  return {
    async send(tasks) {
      await started();
      for (const [name, some] of Map.groupBy([tasks].flat(), queueOf)) await boss.insert(name, some.map(toJob));
    },
    async work(atOnce, run) {
      await started();
      // One call for all loops: with several, one could fail and leave the others running.
      const loops = { pollingIntervalSeconds: 0.5, localConcurrency: atOnce };
      const runJob = async ([job]: Job<Task>[]) => job && run(job.data, job.signal);
      const stop = () => Promise.all([queue, webhooks].map((name) => boss.offWork(name, { wait: true })));
      try {
        await boss.work<Task>(queue, loops, runJob);
        await boss.work<Task>(webhooks, WEBHOOK_LOOPS, runJob);
      } catch (error) {
        await stop();
        throw error;
      }
      const waking = setInterval(() => {
        for (const { id } of boss.getWipData()) boss.notifyWorker(id);
      }, WAKE_MS);
      return async () => {
        clearInterval(waking);
        await stop();
      };
    },
    idleMs: () => Math.max(0, ...boss.getWipData().map(idleMs)),
    count: () =>
      queryRows<QueuedTasks>(pool)`
        SELECT data->>'kind' AS kind, count(*) FILTER (WHERE state < 'active')::int AS waiting,
           count(*) FILTER (WHERE state = 'active')::int AS active,
           coalesce(extract(epoch FROM now() - min(created_on) FILTER (WHERE state < 'active')), 0)::float8 AS "oldestSeconds"
         FROM pgboss.job WHERE name = ANY(${[queue, webhooks]}) AND state <= 'active' GROUP BY 1`,
    async close() {
      const settled = Promise.resolve(starting).catch(() => {}); // a failed start leaves timers
      const closed = settled.then(() => boss.stop({ graceful: false }).catch(complain)).then(() => pool.end());
      await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]); // a frozen server never closes
    },
  };
}

// Ignores a task whose end could not be recorded.
function idleMs({ count, createdOn, lastFetchedOn, lastJobStartedOn, lastJobEndedOn, lastErrorOn }: WipData): number {
  if (count > 0 && (lastErrorOn ?? 0) <= (lastJobStartedOn ?? 0)) return 0;
  return Date.now() - Math.max(createdOn, lastFetchedOn ?? 0, lastJobEndedOn ?? 0);
}

async function start(boss: PgBoss, queues: string[]): Promise<void> {
  await boss.start();
  // A task waiting for its retry blocks the same task from being queued, so keep the delay short.
  const retries = { retryLimit: 1000, retryDelay: 1, retryBackoff: false };
  const lives = { heartbeatSeconds: HEARTBEAT_SECONDS, expireInSeconds: 12 * 3600, deleteAfterSeconds: 60 };
  for (const queue of queues) {
    await boss.createQueue(queue, { policy: "exclusive", ...retries, ...lives });
    await boss.updateQueue(queue, { ...retries, ...lives }); // an existing queue keeps its old settings
  }
}

function toJob(task: Task) {
  const { kind, harmonizationId, portion = 0 } = task;
  return { data: task, singletonKey: `${harmonizationId} ${kind} ${portion}`, priority: -portion };
}

function seldom(say: (error: unknown) => void): (error: unknown) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - last < COMPLAIN_EVERY_MS) return;
    last = performance.now();
    say(error);
  };
}
