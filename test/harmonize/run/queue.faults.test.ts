import { setTimeout as sleep } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { afterAll, expect, test, vi } from "vitest";
import { PATIENT_CONNECT_MS } from "../../../src/db/database.ts";
import { createQueue } from "../../../src/harmonize/run/queue.ts";
import { testDatabase } from "../../support/database/database.ts";

const { url, database } = await testDatabase();

function open(directoryUrl = "http://directory.test") {
  const queue = createQueue(url, {
    directoryUrl,
    log: { warn: () => {} },
    supervises: false,
    connectMs: PATIENT_CONNECT_MS,
  });
  afterAll(queue.close);
  return queue;
}

test("F01: a queue, even one of an earlier version, gives a task to another worker after ten silent seconds and tries again after one", async () => {
  const settings = () =>
    database.pool.query(`SELECT heartbeat_seconds, retry_backoff, retry_delay FROM pgboss.queue
      WHERE name = (SELECT name FROM pgboss.job WHERE data->>'harmonizationId' = 'b')`);
  await open().send({ kind: "read", harmonizationId: "a" });
  await database.pool.query(
    "UPDATE pgboss.queue SET retry_backoff = true, retry_delay = 9, retry_delay_max = 30, heartbeat_seconds = 60",
  );
  await open().send({ kind: "read", harmonizationId: "b" });
  expect((await settings()).rows).toEqual([{ heartbeat_seconds: 10, retry_backoff: false, retry_delay: 1 }]);
});

test("F23: a task that yields is queued behind waiting tasks", async () => {
  const queue = open();
  await database.pool.query("DELETE FROM pgboss.job");
  const done: string[] = [];
  const stop = await queue.work(1, async ({ kind, harmonizationId }) => {
    if (done.length === 0) {
      await queue.send({ kind: "read", harmonizationId: "new" });
      await queue.send({ kind: "add", harmonizationId: "third" });
    }
    done.push(`${kind} ${harmonizationId}`);
  });
  await queue.send({ kind: "add", harmonizationId: "long" });
  await expect.poll(() => done.length).toBe(1);
  await expect
    .poll(async () => await queue.send({ kind: "add", harmonizationId: "long" }).then(() => done.length))
    .toBeGreaterThan(3);
  await stop();
  expect(done.slice(0, 4)).toEqual(["add long", "read new", "add third", "add long"]);
});

test("a worker at another directory gets no tasks", async () => {
  const [here, elsewhere] = [open("http://here.test"), open("http://elsewhere.test")];
  const done: string[] = [];
  const stops = [
    await elsewhere.work(2, async () => void done.push("elsewhere")),
    await here.work(1, async ({ harmonizationId }) => void done.push(harmonizationId)),
  ];
  const ids = ["a", "b", "c", "d"];
  await here.send(ids.map((harmonizationId) => ({ kind: "read", harmonizationId })));
  await expect.poll(() => done.toSorted()).toEqual(ids);
  for (const stop of stops) await stop();
});

test("a queue reports its idle time, and is not idle during a long task", async () => {
  const queue = open("http://busy.test");
  expect(queue.idleMs()).toBe(0);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const stop = await queue.work(1, () => ended);
  await queue.send({ kind: "read", harmonizationId: "long" });
  await expect.poll(() => queue.count()).toEqual([{ kind: "read", waiting: 0, active: 1, oldestSeconds: 0 }]);
  await queue.send({ kind: "read", harmonizationId: "next" });
  await expect.poll(async () => (await queue.count())[0]?.oldestSeconds).toBeGreaterThan(1.4);
  // The loops for webhooks ask every two seconds.
  expect(queue.idleMs()).toBeLessThan(2500);
  expect(await queue.count()).toMatchObject([{ kind: "read", waiting: 1, active: 1 }]);
  end();
  await expect.poll(() => queue.count()).toEqual([]);
  const client = await database.pool.connect();
  await client.query("BEGIN; LOCK pgboss.job");
  await expect.poll(() => queue.idleMs()).toBeGreaterThan(3500);
  await client.query("ROLLBACK");
  client.release();
  await expect.poll(() => queue.idleMs()).toBeLessThan(2500);
  await stop();
});

test("a worker whose start fails leaves no running loop", async () => {
  const queue = open("http://midway.test");
  const { work } = PgBoss.prototype;
  const spy = vi.spyOn(PgBoss.prototype, "work").mockImplementation(function (this: PgBoss, ...args: unknown[]) {
    return spy.mock.calls.length === 2 ? Promise.reject(new Error("midway")) : Reflect.apply(work, this, args);
  });
  const done: string[] = [];
  const run = async ({ harmonizationId }: { harmonizationId: string }) => void done.push(harmonizationId);
  const stop = await queue.work(2, run).catch(() => undefined);
  spy.mockRestore();
  await stop?.();
  await queue.send({ kind: "read", harmonizationId: "a" });
  await sleep(1500);
  expect(done).toEqual([]);
  const stopNow = await queue.work(2, run);
  await expect.poll(() => done).toEqual(["a"]);
  await stopNow();
});

test("a queue whose start failed makes no database calls once it is closed", async () => {
  const warn = vi.fn();
  const queue = createQueue(url, { directoryUrl: "http://closed.test", log: { warn }, supervises: true });
  const spy = vi.spyOn(PgBoss.prototype, "createQueue").mockRejectedValue(new Error("midway"));
  await expect(queue.work(1, async () => {})).rejects.toThrow("midway");
  spy.mockRestore();
  await queue.close();
  await sleep(3000); // supervision comes every two seconds
  expect(warn).not.toHaveBeenCalled();
});
