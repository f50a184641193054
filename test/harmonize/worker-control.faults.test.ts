import { expect, test } from "vitest";
import { retryListings } from "../../src/harmonize/match/retry-listings.ts";
import { deleteHarmonization } from "../../src/harmonize/run/deletion.ts";
import {
  cancelHarmonization,
  findHarmonization,
  loadHarmonization,
  pauseHarmonization,
  resumeHarmonization,
  retryFailed,
} from "../../src/harmonize/run/harmonizations.ts";
import { sendNext } from "../../src/harmonize/run/next-tasks.ts";
import type { Task } from "../../src/harmonize/run/queue.ts";
import { superviseOnce } from "../../src/harmonize/supervise.ts";
import { startHarmonizer } from "./harmonizer.ts";

const { deps, begin, listings, row, startWorker } = await startHarmonizer();

const set = (id: string, values: string, where = "true") =>
  deps.pool.query(`UPDATE app.listing SET ${values} WHERE harmonization_id = $1 AND ${where}`, [id]);
const setRun = (id: string, data: object) => deps.prisma.harmonization.update({ where: { id }, data });
const queued = async (id: string) => {
  const { rows } = await deps.pool.query(
    "SELECT singleton_key AS key FROM pgboss.job WHERE data->>'harmonizationId' = $1 ORDER BY 1",
    [id],
  );
  return rows.map(({ key }) => key.replace(id, "").trim());
};

test("a run can be paused only at work and resumed only when paused, which queues its tasks", async () => {
  const { id } = await begin(1001);
  expect(await resumeHarmonization(deps, id)).toBe(false);
  expect(await pauseHarmonization(deps, id)).toBe(true);
  expect((await row(id)).pausedFor).toBe("person");
  expect(await resumeHarmonization(deps, id)).toBe(true);
  expect(await queued(id)).toEqual(["match 0", "match 1"]);
  await setRun(id, { state: "ready" });
  expect(await pauseHarmonization(deps, id)).toBe(false);
});

test("a run that a person pauses while it waits for a connection stays paused after a new log-in", async () => {
  const { id } = await begin(1);
  await setRun(id, { pausedFor: "connection" });
  expect(await pauseHarmonization(deps, id)).toBe(true);
  expect((await row(id)).pausedFor).toBe("person");
});

test("F08: resuming a run does not shorten the wait that a directory asked for, and resets a silence", async () => {
  const { id } = await begin(1);
  const retryAt = new Date(Date.now() + 60_000);
  await setRun(id, { pausedFor: "person", retryAt });
  await resumeHarmonization(deps, id);
  expect((await row(id)).retryAt).toEqual(retryAt);
  await setRun(id, { pausedFor: "directory", retryAt, task: { silentSince: "2026-01-01T00:00:00Z" } });
  await resumeHarmonization(deps, id);
  expect(await row(id)).toMatchObject({ retryAt: null, task: null });
});

test("cancelling ends a matching and keeps its results, or skips the rest of adding and annotating", async () => {
  const { id } = await begin(2);
  await set(id, "status = 'asked'", "number = 1");
  expect(await cancelHarmonization(deps, id)).toBe(true);
  expect((await row(id)).state).toBe("cancelled");
  expect(await listings(id)).toHaveLength(2);
  for (const again of [cancelHarmonization, resumeHarmonization, retryFailed])
    expect(await again(deps, id)).toBe(false);
  for (const state of ["adding", "annotating"] as const) {
    await setRun(id, { state, pausedFor: "person" });
    expect(await cancelHarmonization(deps, id)).toBe(true);
    expect(await row(id)).toMatchObject({ state: "ready", pausedFor: null });
  }
});

test("F07: a retry includes failed listings, except decided ones and those with nothing to search for", async () => {
  const { id } = await begin(5);
  await setRun(id, { state: "ready" });
  await set(id, "status = 'asked', best_id = 'v'");
  expect(await retryFailed(deps, id), "there is nothing to do").toBe(false);
  await set(id, `status = 'failed', problem = '{"code": "unreachable"}'`, "number > 1");
  await set(id, "query = NULL", "number = 2");
  await set(id, "decision = 'matched', venue_id = 'v'", "number = 3");
  await deps.prisma.portion.deleteMany();
  expect(await retryFailed(deps, id)).toBe(true);
  expect((await row(id)).state).toBe("matching");
  expect(await queued(id)).toEqual(["retry 0"]);
  const h = await loadHarmonization(deps, id);
  if (h) await retryListings(deps, h, { signal: new AbortController().signal });
  expect((await listings(id)).map(({ status }) => status)).toEqual([
    ...["asked", "failed", "failed", "pending", "pending"],
  ]);
  expect((await queued(id)).toSorted()).toEqual([expect.stringMatching(/^match \d+$/), "retry 0"]);
  expect(await retryFailed(deps, id), "it is under way").toBe(false);
});

test.each(["XX000", "57014"])(
  "a run that the supervision cannot continue is logged and holds up no other (%s)",
  async (code) => {
    const [bad, good] = [await begin(1), await begin(1)];
    const sent: string[] = [];
    const send = async (tasks: Task | Task[]) => {
      for (const { harmonizationId } of [tasks].flat()) {
        if (harmonizationId === bad.id) throw Object.assign(new Error("no such luck"), { code });
        sent.push(harmonizationId);
      }
    };
    await expect(superviseOnce({ ...deps, queue: { ...deps.queue, send } })).rejects.toThrow("no such luck");
    expect(sent).toContain(good.id);
  },
);

test("listings that a killed retry left pending are counted and matched by the next retry", async () => {
  const { id, accountId } = await begin(2, { owned: true });
  const retryAt = new Date(Date.now() + 60_000);
  await setRun((await begin(1)).id, { accountId, retryAt });
  await setRun(id, { state: "ready", pausedFor: "connection", retryAt: new Date(Date.now() + 3_000_000) });
  await set(id, "status = 'asked', best_id = 'v'", "number = 2");
  expect(await retryFailed(deps, id)).toBe(true);
  expect(await row(id), "it waits for what the directory asked of its owner").toMatchObject({
    ...{ state: "matching", pausedFor: null, retryAt },
  });
});

test("the supervision queues a lost trial again, and nothing for a draft without a trial", async () => {
  const [waiting, done] = [await begin(1), await begin(1)];
  await setRun(waiting.id, { state: "draft", trial: { state: "waiting" } });
  await setRun(done.id, { state: "draft", trial: { state: "done" } });
  await superviseOnce(deps);
  expect([await queued(waiting.id), await queued(done.id)]).toEqual([["trial 0"], []]);
});

test("a matching that ends while being paused is ready", async () => {
  const { id } = await begin(1);
  await set(id, "status = 'asked'");
  await deps.prisma.portion.deleteMany();
  await setRun(id, { pausedFor: "person" });
  await sendNext(deps, id, "matching");
  expect(await row(id)).toMatchObject({ state: "ready", pausedFor: null });
});

test("a deleted run is hidden, and a worker deletes all its rows even after an interruption", async () => {
  const { id } = await begin(5001);
  const admin = { id: "00000000-0000-4000-8000-000000000000", isAdmin: true };
  expect((await findHarmonization(deps, admin, id))?.id).toBe(id);
  expect(await deleteHarmonization(deps, id)).toBe(true);
  expect(await deleteHarmonization(deps, id), "it is being deleted").toBe(false);
  expect(await findHarmonization(deps, admin, id)).toBeUndefined();
  expect(await queued(id)).toEqual(["delete 0"]);
  await deps.pool.query("DELETE FROM pgboss.job WHERE singleton_key LIKE $1 || '%'", [id]);
  await superviseOnce(deps);
  expect(await queued(id), "its task was lost").toEqual(["delete 0"]);
  const worker = await startWorker();
  await expect.poll(() => deps.prisma.harmonization.count({ where: { id } })).toBe(0);
  await worker.stop();
  expect(await listings(id)).toEqual([]);
});
