import { setTimeout as after } from "node:timers/promises";
import { PgBoss, type WipData } from "pg-boss";
import { createPool } from "../../db/connections.ts";
import { sha256 } from "../../shared/crypto.ts";

/** One piece of work on a harmonization. */
export interface Task {
  kind: "read" | "trial" | "positions" | "match" | "retry" | "add" | "annotate" | "conflicts" | "delete";
  harmonizationId: string;
  /** With `match`: which listings, counted in CHUNK from 0. */
  chunk?: number;
}

/** Listings that one task of kind `match` asks about. */
export const CHUNK = 500;

export interface Queue {
  /** Queues a task, unless the same one waits or runs already. Later pieces of a long run stand behind the first of a short. */
  send(tasks: Task | Task[]): Promise<void>;
  /**
   * Runs tasks, `atOnce` at a time, until what it answers is called, which waits for those under way. A task that throws is
   * tried again a second later, here or elsewhere.
   */
  work(atOnce: number, run: (task: Task, signal: AbortSignal) => Promise<void>): Promise<() => Promise<void>>;
  /**
   * Milliseconds since each loop of `work` has looked for a task or had one, of the loop where it is longest. More than a
   * few seconds mean that tasks are left lying.
   */
  idleMs(): number;
  /** How many tasks wait, and how many are some worker's, in all processes together. */
  count(): Promise<{ waiting: number; active: number }>;
  close(): Promise<void>;
}

/** A killed worker's tasks are given to another after so many seconds without a sign of life; pg-boss takes no less. */
const HEARTBEAT_SECONDS = 10;
const CONNECT_MS = 1400;
/** pg-boss waits by this machine's clock: one that is set back by an hour would make it wait for an hour (attacks F15). */
const WAKE_MS = 2000;
/** A statement that gets no answer: the connection may lead nowhere. */
const QUERY_MS = 5000;
const CLOSE_MS = 2000;
/** Polls fail several times a second while the database is down. */
const COMPLAIN_EVERY_MS = 10_000;

interface Options {
  /** The API host of the directory that is asked. Workers at another one cannot do its tasks, and get none of them. */
  directoryUrl: string;
  log: { warn(details: object, message: string): void };
  /** Whether this process looks after tasks of workers that are gone: workers do. */
  supervises: boolean;
}

/**
 * The queue of a directory in the database at `url`, in a schema of its own (`pgboss`), which is made when it is missing. Connects with
 * the first task that is sent or asked for, so it never fails itself. Why pg-boss: docs/decisions/0005.
 */
export function createQueue(url: string, { directoryUrl, log, supervises }: Options): Queue {
  const queue = `harmonize-${Buffer.from(sha256(directoryUrl)).toString("hex", 0, 8)}`;
  const complain = seldom((err: unknown) => log.warn({ err }, "the queue failed"));
  const settings = { application_name: "samespot queue", query_timeout: QUERY_MS, keepAlive: true, max: 3 };
  const pool = createPool({ connectionString: url, connectionTimeoutMillis: CONNECT_MS, ...settings }, complain);
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    createSchema: false, // the migrations make it
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
    starting ??= start(boss, queue).catch((error) => {
      starting = undefined; // the next use tries again
      throw error;
    });
    return starting;
  };
  return {
    async send(tasks) {
      await started();
      await boss.insert(queue, [tasks].flat().map(toJob));
    },
    async work(atOnce, run) {
      await started();
      // All loops by one call: of several one could fail, and the loops before it would go on.
      const loops = { pollingIntervalSeconds: 0.5, localConcurrency: atOnce };
      await boss.work<Task>(queue, loops, async ([job]) => job && run(job.data, job.signal));
      const waking = setInterval(() => {
        for (const { id } of boss.getWipData()) boss.notifyWorker(id);
      }, WAKE_MS);
      return async () => {
        clearInterval(waking);
        await boss.offWork(queue, { wait: true });
      };
    },
    idleMs: () => Math.max(0, ...boss.getWipData().map(idleMs)),
    async count() {
      const { rows } = await pool.query<{ waiting: number; active: number }>(COUNT, [queue]);
      return rows[0] ?? { waiting: 0, active: 0 };
    },
    async close() {
      const settled = Promise.resolve(starting).catch(() => {}); // a start that failed midway has left timers
      const closed = settled.then(() => boss.stop({ graceful: false }).catch(complain)).then(() => pool.end());
      await Promise.race([closed, after(CLOSE_MS, undefined, { ref: false })]); // a frozen server never says goodbye
    },
  };
}

const COUNT = `SELECT count(*) FILTER (WHERE state < 'active')::int AS waiting,
    count(*) FILTER (WHERE state = 'active')::int AS active
  FROM pgboss.job WHERE name = $1`;

/** Of one loop, by this machine's clock, as pg-boss's own times. A task that could not be noted as ended is none any more. */
function idleMs({ count, createdOn, lastFetchedOn, lastJobStartedOn, lastJobEndedOn, lastErrorOn }: WipData): number {
  if (count > 0 && (lastErrorOn ?? 0) <= (lastJobStartedOn ?? 0)) return 0;
  return Date.now() - Math.max(createdOn, lastFetchedOn ?? 0, lastJobEndedOn ?? 0);
}

async function start(boss: PgBoss, queue: string): Promise<void> {
  await boss.start();
  // What waits to be tried again keeps the same task from being sent: never for long, or nobody could say to go on.
  const retries = { retryLimit: 1000, retryDelay: 1, retryBackoff: false };
  const lives = { heartbeatSeconds: HEARTBEAT_SECONDS, expireInSeconds: 12 * 3600, deleteAfterSeconds: 60 };
  await boss.createQueue(queue, { policy: "exclusive", ...retries, ...lives });
  await boss.updateQueue(queue, { ...retries, ...lives }); // one that was there has what it was made with
}

function toJob(task: Task) {
  const { kind, harmonizationId, chunk = 0 } = task;
  return { data: task, singletonKey: `${harmonizationId} ${kind} ${chunk}`, priority: -chunk };
}

function seldom(say: (error: unknown) => void): (error: unknown) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - last < COMPLAIN_EVERY_MS) return;
    last = performance.now();
    say(error);
  };
}
