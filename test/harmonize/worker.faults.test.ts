import { setTimeout as after } from "node:timers/promises";
import { register } from "prom-client";
import { afterAll, expect, test } from "vitest";
import { pauseHarmonization, resumeHarmonization } from "../../src/harmonize/run/harmonizations.ts";
import { sendNext } from "../../src/harmonize/run/next-tasks.ts";
import { foundBy, startHarmonizer } from "./harmonizer.ts";

const { deps, state, asked, begin, listings, row, startWorker } = await startHarmonizer();
let worker = await startWorker();
afterAll(() => worker.stop());

const until = (what: () => Promise<boolean>) => expect.poll(what, { interval: 100 }).toBe(true);
const isReady = async (id: string) => (await row(id)).state === "ready";

test("a run is matched to its end, even if it was never queued or cut into portions", async () => {
  const { id } = await begin(2203);
  await deps.prisma.portion.deleteMany();
  await until(() => isReady(id));
  expect((await listings(id)).every(({ status }) => status === "asked")).toBe(true);
  expect(new Set(asked.map(({ name }) => name)).size).toBe(2203);
  expect(asked).toHaveLength(2203);
  expect((await row(id)).matchedAt).not.toBeNull();
});

test("a run's tasks and listings are counted in the metrics", async () => {
  const counted = async () => {
    const text = await register.metrics();
    const value = (line: RegExp) => Number(line.exec(text)?.[1] ?? 0);
    return {
      begun: value(/^samespot_tasks_begun_total\{kind="match"\} (\d+)$/m),
      finished: value(/^samespot_task_seconds_count\{kind="match",outcome="finished"\} (\d+)$/m),
      listings: value(/^samespot_listings_total\{kind="match"\} (\d+)$/m),
    };
  };
  const before = await counted();
  const { id } = await begin(3);
  await until(() => isReady(id));
  await expect.poll(async () => (await counted()).finished).toBeGreaterThan(before.finished);
  const after = await counted();
  expect(after.begun).toBeGreaterThan(before.begun);
  expect(after.listings - before.listings).toBe(3);
});

test("F06: a run started many times at once is matched once", async () => {
  asked.length = 0;
  state.answer = async (query) => {
    await after(300);
    return { found: foundBy(query) };
  };
  const { id } = await begin(30);
  await Promise.all(Array.from({ length: 10 }, () => sendNext(deps, id, "matching")));
  await until(() => isReady(id));
  expect(asked).toHaveLength(30);
});

test("F23: a small run is finished while a large one has hardly begun", async () => {
  state.answer = async (query) => {
    await after(200);
    return { found: foundBy(query) };
  };
  const large = await begin(1000 * 15);
  await sendNext(deps, large.id, "matching");
  await after(500);
  const small = await begin(10);
  await sendNext(deps, small.id, "matching");
  await until(() => isReady(small.id));
  const left = await deps.prisma.listing.count({ where: { harmonizationId: large.id, status: "pending" } });
  expect(left).toBeGreaterThan(500 * 20);
  expect(await pauseHarmonization(deps, large.id)).toBe(true);
});

test("a paused run stops after its current calls, and resumes where it stopped", async () => {
  const { promise: asking, resolve: started } = Promise.withResolvers<void>();
  const { promise: answered, resolve: release } = Promise.withResolvers<void>();
  state.answer = async (query) => {
    if (query.name !== "the only one") return { found: foundBy(query) }; // of the test before
    started();
    await answered;
    return { found: foundBy(query) };
  };
  const { id } = await begin(1, { name: () => "the only one" });
  await sendNext(deps, id, "matching");
  await asking;
  expect(await pauseHarmonization(deps, id)).toBe(true);
  expect(await pauseHarmonization(deps, id), "it is paused already").toBe(false);
  release();
  await until(async () => (await listings(id))[0]?.status === "asked");
  await after(1000);
  expect((await row(id)).state).toBe("matching");
  expect(await resumeHarmonization(deps, id)).toBe(true);
  await until(() => isReady(id));
});

test("F16: a worker that is stopped hands its task to another at once", async () => {
  let [calls, answers] = [0, 0];
  state.answer = async (query) => {
    calls += 1;
    if (calls === 1) await after(8000);
    answers += 1;
    return { found: foundBy(query) };
  };
  const { id } = await begin(1);
  await sendNext(deps, id, "matching");
  await expect.poll(() => calls).toBe(1);
  await worker.stop();
  expect(answers, "it does not wait for the call").toBe(0);
  const { rows } = await deps.pool.query("SELECT state FROM pgboss.job WHERE data->>'harmonizationId' = $1", [id]);
  expect(rows, "a dead worker's task would be active for ten seconds").not.toContainEqual({ state: "active" });
  worker = await startWorker();
  await until(() => isReady(id));
  expect((await listings(id))[0]).toMatchObject({ status: "asked", bestId: "v-Place 1" });
});

test("F16: a worker that is stopped waits briefly for its calls, and makes no more", async () => {
  let calls = 0;
  state.answer = async (query) => {
    calls += 1;
    await after(400);
    return { found: foundBy(query) };
  };
  const { id } = await begin(1001);
  await sendNext(deps, id, "matching");
  await expect.poll(() => calls).toBeGreaterThan(0);
  await worker.stop();
  const statuses = (await listings(id)).map(({ status }) => status);
  expect(statuses.filter((status) => status === "asked")).toHaveLength(calls);
  worker = await startWorker();
  await until(() => isReady(id));
});

test("F25: workers find tasks by polling, without notifications", async () => {
  const { rows } = await deps.pool.query("SELECT query FROM pg_stat_activity WHERE query ILIKE 'LISTEN%'");
  expect(rows).toEqual([]);
  const cut =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'samespot queue' AND datname = current_database()";
  expect((await deps.pool.query(cut)).rowCount).toBeGreaterThan(0);
  state.answer = (query) => ({ found: foundBy(query) });
  const { id } = await begin(1);
  await until(() => isReady(id)); // nobody has queued it either
});
