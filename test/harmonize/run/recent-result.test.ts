import { setTimeout as after } from "node:timers/promises";
import type { Pool } from "pg";
import { beforeEach, expect, test } from "vitest";
import { forget, recentResult } from "../../../src/harmonize/run/recent-result.ts";

const LONG = { isLong: true, waitMs: 50 };
const busy = Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" });

let pool: Pool;
beforeEach(() => {
  pool = {} as Pool;
});

test("F32: a measurement at a busy database is missing without an error", async () => {
  const failing = () => recentResult(pool, "a", () => Promise.reject(busy), LONG);
  expect(await failing()).toMatchObject({ value: undefined, isLate: true });
  expect(await failing(), "just after").toMatchObject({ value: undefined, isLate: true });
  const short = await recentResult(pool, "b", () => Promise.reject(busy), { isLong: false });
  expect(short).toMatchObject({ value: undefined, isLate: true });
});

test("F32: the previous measurement is returned while no new one is possible", async () => {
  const measure = (value: () => Promise<number>) => recentResult(pool, "a", value, { isLong: false, waitMs: 50 });
  await measure(async () => 7);
  expect((await measure(() => Promise.reject(busy))).value).toBe(7);
  const late = await measure(() => after(500).then(() => 8));
  expect([late.value, late.isLate]).toEqual([7, true]);
  expect(late.age).toBeGreaterThan(0);
});

test("a long measurement runs once for concurrent callers, and is cached", async () => {
  let times = 0;
  const { promise, resolve } = Promise.withResolvers<string>();
  const ask = () => {
    const measure = () => {
      times += 1;
      return promise;
    };
    return recentResult(pool, "a", measure, LONG);
  };
  expect((await Promise.all([ask(), ask()])).map(({ isLate }) => isLate)).toEqual([true, true]);
  resolve("counted");
  await after(1);
  expect([(await ask()).value, (await ask()).isLate, times]).toEqual(["counted", false, 1]);
  forget(pool, "a");
  await ask();
  expect(times).toBe(2);
});

test("slow counts of large runs wait for one another; a count of a small run waits for none", async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  await recentResult(pool, "a", () => promise, LONG);
  expect((await recentResult(pool, "b", async () => 1, LONG)).value).toBeUndefined();
  expect((await recentResult(pool, "c", async () => 2, { isLong: false })).value).toBe(2);
  resolve(0);
  await after(1);
  expect((await recentResult(pool, "b", async () => 3, LONG)).value).toBe(1);
});

test("a program error in a measurement is thrown, unlike a busy database", async () => {
  await expect(recentResult(pool, "a", () => Promise.reject(new Error("no such column")), LONG)).rejects.toThrow(
    "no such",
  );
});
