import { expect, test } from "vitest";
import { askForSearch, isDue, searchWhenDue } from "../../../src/directory/duplicates/chore.ts";
import { lastRun, type Run } from "../../../src/directory/duplicates/queue.ts";
import { testDatabase } from "../../support/database/database.ts";

const { pool } = (await testDatabase()).database;
const run = (more: Partial<Run>): Run => ({
  ...{ startedAt: new Date(2026, 2, 4, 2, 0), finishedAt: new Date(2026, 2, 4, 2, 30), isAlive: false },
  ...{ venues: 9, passed: 9, compared: 9, ...more },
});
const count = async () => (await pool.query("SELECT count(*)::int AS n FROM directory.duplicate_run")).rows[0].n;

test("W95: each night the directory is searched once, whatever the hour of the last search, and never by day", () => {
  const hours = Array.from({ length: 24 }, (_, hour) => new Date(2026, 2, 5, hour, 10));
  const due = (last: Run | undefined) => hours.filter((now) => isDue(last, now)).map((now) => now.getHours());
  expect(due(undefined)).toEqual([1, 2, 3, 4]);
  expect(due(run({}))).toEqual([1, 2, 3, 4]);
  expect(due(run({ startedAt: hours[1] as Date }))).toEqual([]);
  expect(due(run({ startedAt: new Date(2026, 2, 4, 23, 0) }))).toEqual([]);
  expect(due(run({ finishedAt: null, isAlive: true }))).toEqual([]);
  expect(due(run({ finishedAt: null }))).toHaveLength(24);
});

test("W95: a search that operators ask for, however often, is made once, and by one process", async () => {
  for (let press = 0; press < 3; press++) await askForSearch(pool);
  expect(await count()).toBe(1);
  expect(await lastRun(pool)).toMatchObject({ finishedAt: null, isAlive: false });
  const { signal } = new AbortController();
  await Promise.all([searchWhenDue(pool, signal), searchWhenDue(pool, signal)]);
  expect((await lastRun(pool))?.finishedAt).toBeInstanceOf(Date);
  await askForSearch(pool);
  expect(isDue(await lastRun(pool), new Date(2026, 2, 5, 12, 0))).toBe(true);
});
