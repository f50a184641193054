import { PgBoss } from "pg-boss";

/** One piece of work on a harmonization. */
export interface Task {
  kind: "read" | "trial" | "match" | "add" | "annotate";
  harmonizationId: string;
  /** With `match`: which listings, counted in CHUNK from 0. */
  chunk?: number;
}

/** Listings that one task of kind `match` asks about. */
export const CHUNK = 500;

export interface Queue {
  /** Queues a task, unless the same one waits or runs already. Later pieces of a long run stand behind the first of a short. */
  send(task: Task, options?: { after?: Date }): Promise<void>;
  /** Runs tasks, `atOnce` at a time, until the queue closes. A task that throws is tried again. */
  work(atOnce: number, run: (task: Task, signal: AbortSignal) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const NAME = "harmonize";

/** A killed worker's tasks are given to another after so many seconds without a sign of life. */
const HEARTBEAT_SECONDS = 10;

interface Options {
  log: { warn(details: object, message: string): void };
  /** Whether this process looks after tasks of workers that are gone: workers do. */
  supervises: boolean;
}

/**
 * The queue in the database at `url`, in a schema of its own (`pgboss`), which is made when it is missing. Connects with
 * the first task that is sent or asked for, so it never fails itself.
 */
export function createQueue(url: string, { log, supervises }: Options): Queue {
  const boss = new PgBoss({
    connectionString: url,
    application_name: "samespot queue",
    max: 3,
    schedule: false,
    supervise: supervises,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    warningQueueSize: 100_000,
  });
  boss.on("error", (err) => log.warn({ err }, "the queue failed"));
  let starting: Promise<void> | undefined;
  const started = () => {
    starting ??= start(boss).catch((error) => {
      starting = undefined; // the next use tries again
      throw error;
    });
    return starting;
  };
  return {
    async send(task, { after } = {}) {
      await started();
      const { kind, harmonizationId, chunk = 0 } = task;
      await boss.send(NAME, task, {
        singletonKey: `${harmonizationId} ${kind} ${chunk}`,
        priority: -chunk,
        ...(after && { startAfter: after }),
        deleteAfterSeconds: 60,
      });
    },
    async work(atOnce, run) {
      await started();
      const options = { localConcurrency: atOnce, pollingIntervalSeconds: 0.5 };
      await boss.work<Task>(NAME, options, async ([job]) => job && run(job.data, job.signal));
    },
    async close() {
      if (starting) await boss.stop({ graceful: true, timeout: 5000 });
    },
  };
}

async function start(boss: PgBoss): Promise<void> {
  await boss.start();
  const retries = { retryLimit: 1000, retryDelay: 1, retryBackoff: true, retryDelayMax: 30 };
  await boss.createQueue(NAME, { policy: "exclusive", heartbeatSeconds: HEARTBEAT_SECONDS, ...retries });
}
