import { randomUUID } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { progressOf } from "../../../src/harmonize/results/progress.ts";
import { loadHarmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { startHarmonizer } from "../harmonizer.ts";

const { deps, begin } = await startHarmonizer();
const { pool } = deps;

beforeEach(() => pool.query("DELETE FROM app.instance"));

async function progress(id: string) {
  const h = await loadHarmonization(deps, id);
  if (!h) throw new Error("It is gone.");
  return progressOf(deps, h);
}

const set = (id: string, values: string, where = "true") =>
  pool.query(`UPDATE app.listing SET ${values} WHERE harmonization_id = $1 AND ${where}`, [id]);
const setState = (id: string, state: string, task: object = {}) =>
  pool.query("UPDATE app.harmonization SET state = $2::app.harmonization_state, task = $3 WHERE id = $1", [
    id,
    state,
    task,
  ]);

test("progress counts every listing by the outcome of decisions, cuts and matches", async () => {
  const { id } = await begin(10);
  await set(id, "status = 'asked', score = 0.9, is_clear = true, best_id = 'v'", "number <= 3");
  await set(id, "status = 'asked', score = 0.9, best_id = 'v'", "number = 4");
  await set(id, "status = 'asked'", "number = 5");
  await set(id, "status = 'failed'", "number = 6");
  await set(id, "decision = 'rejected'", "number = 3");
  await set(id, "decision = 'added', venue_id = 'w'", "number = 7");
  await set(id, "query = query - 'll'", "number = 5");
  await set(id, "query = NULL", "number = 6");
  expect(await progress(id)).toMatchObject({
    ...{ addable: 1, unplaced: 1, retryable: 0, kept: 0 },
    ...{ state: "matching", total: 10, done: 6, failed: 1 },
    counts: { matched: 3, review: 1, none: 2, failed: 1, pending: 3 },
  });
});

test("progress counts listings that a killed retry left pending as retryable", async () => {
  const { id } = await begin(3);
  await set(id, "status = 'asked'", "number = 1");
  expect((await progress(id)).retryable).toBe(0);
  await setState(id, "ready");
  expect(await progress(id)).toMatchObject({ retryable: 2, failed: 0 });
});

test("progress of a running task is shared between callers and at most a second old", async () => {
  const { id } = await begin(2);
  expect((await progress(id)).done).toBe(0);
  await set(id, "status = 'asked'");
  expect((await progress(id)).done).toBe(0);
  await after(1100);
  expect((await progress(id)).done).toBe(2);
  await setState(id, "ready");
  await set(id, "status = 'failed'");
  expect((await progress(id)).failed, "a run that is over is counted anew").toBe(2);
});

test("progress of a large finished run is cached until a cut is moved", async () => {
  const { id } = await begin(2);
  await setState(id, "ready");
  const large = async (more = {}) => {
    const h = await loadHarmonization(deps, id);
    if (!h) throw new Error("It is gone.");
    return (await progressOf(deps, { ...h, listingCount: 50_000, ...more })).failed;
  };
  expect(await large()).toBe(0);
  await set(id, "status = 'failed'");
  expect([await large(), await large({ acceptFrom: 0.9 }), (await progress(id)).failed]).toEqual([0, 2, 2]);
});

test("progress does not measure speed across a pause", async () => {
  const { id } = await begin(1000);
  const pause = (reason: string | null) =>
    pool.query("UPDATE app.harmonization SET paused_for = $2::app.pause_reason WHERE id = $1", [id, reason]);
  await progress(id);
  await pause("person");
  expect((await progress(id)).perSecond).toBeUndefined();
  await pause(null);
  await after(1100);
  expect((await progress(id)).perSecond).toBeUndefined();
});

test("progress reports the recent speed and the time left", async () => {
  const { id } = await begin(1000);
  const begun = performance.now();
  expect(await progress(id)).toMatchObject({ perSecond: undefined, secondsLeft: undefined });
  await after(1100);
  await set(id, "status = 'asked'", "number <= 100");
  const { perSecond = 0, secondsLeft = 0 } = await progress(id);
  expect(perSecond).toBeGreaterThanOrEqual(100 / ((performance.now() - begun) / 1000));
  expect(perSecond).toBeLessThan(95);
  expect(secondsLeft).toBeCloseTo(900 / perSecond);
});

test("progress of adding counts listings handled since its start", async () => {
  const { id } = await begin(6);
  const since = new Date(Date.now() - 60_000).toISOString();
  await set(id, "status = 'asked', matched_at = now() - interval '1 hour'");
  await set(id, `decision = 'added', decided_how = 'many', decided_at = now(), venue_id = 'a'`, "number = 1");
  await set(id, `problem = jsonb_build_object('code', 'x', 'at', now())`, "number = 2");
  await set(id, "query = query - 'll'", "number = 3");
  await set(id, `decision = 'matched', decided_how = 'person', decided_at = now(), venue_id = 'b'`, "number = 4");
  await setState(id, "adding", { kind: "add", since });
  expect(await progress(id)).toMatchObject({ total: 4, done: 2 });
});

test("progress of adding ends at its total, whatever an earlier add held back or a person skipped", async () => {
  const { id } = await begin(6);
  const since = new Date(Date.now() - 60_000).toISOString();
  await set(id, "status = 'asked', matched_at = now() - interval '1 hour'");
  const former = "'at', now() - interval '1 hour'";
  await set(id, `problem = jsonb_build_object('code', 'mistyped_position', ${former})`, "number = 1");
  await set(id, `problem = jsonb_build_object('code', 'implausible_position', ${former})`, "number = 2");
  await set(id, "problem = jsonb_build_object('code', 'add_unknown')", "number = 3");
  await set(id, "skipped_at = now()", "number = 4");
  await set(id, "adding = '{}'", "number = 5");
  await set(id, `problem = jsonb_build_object('code', 'mistyped_position', 'at', now())`, "number = 6");
  await setState(id, "adding", { kind: "add", since });
  expect(await progress(id)).toMatchObject({ total: 2, done: 1 });
});

test("progress of annotating again counts an id that was refused before as still to be written", async () => {
  const { id } = await begin(3);
  await set(
    id,
    "own_id = 'id', status = 'asked', decision = 'matched', venue_id = 'v', decided_at = now() - interval '1 day'",
  );
  await set(id, `annotation_problem = '{"code": "rejected"}', annotated_at = now() - interval '1 hour'`);
  await set(id, "annotated_at = now()", "number = 1");
  await set(id, "annotation_problem = NULL", "number = 2");
  await setState(id, "annotating", { kind: "annotate", since: new Date(Date.now() - 60_000).toISOString() });
  expect(await progress(id)).toMatchObject({ total: 3, done: 2 });
});

test("progress of annotating counts listings with an own id and a venue", async () => {
  const { id } = await begin(4);
  await set(
    id,
    "own_id = 'id', status = 'asked', matched_at = now(), decision = 'matched', venue_id = 'v'",
    "number <= 3",
  );
  await set(id, "decided_at = now() - interval '1 minute', annotated_at = now()");
  await set(id, "annotated_at = now() - interval '1 hour'", "number = 2");
  await set(id, "own_id = NULL", "number = 3");
  await setState(id, "annotating", { kind: "annotate", since: new Date().toISOString() });
  expect(await progress(id)).toMatchObject({ total: 2, done: 1 });
});

test("progress of reading counts the rows so far, and estimates their total from the bytes", async () => {
  const { id } = await begin(1);
  await setState(id, "reading", { rows: 250, bytes: 1000 });
  await pool.query("UPDATE app.harmonization SET size = 4000, listing_count = 0 WHERE id = $1", [id]);
  expect(await progress(id)).toMatchObject({ done: 250, total: 1000, isCounted: true });
});

test("progress reports whether a worker is running", async () => {
  const { id } = await begin(1);
  expect((await progress(id)).hasWorker).toBe(false);
  const note = (roles: string[], ago: string) =>
    pool.query(
      `INSERT INTO app.instance (id, host, version, roles, seen_at) VALUES ($1, 'h', '1', $2, now() - $3::interval)`,
      [randomUUID(), roles, ago],
    );
  await note(["app"], "1 second");
  await note(["app", "worker"], "2 minutes");
  expect((await progress(id)).hasWorker).toBe(false);
  await note(["worker"], "1 second");
  expect((await progress(id)).hasWorker).toBe(true);
});
