import { expect, test } from "vitest";
import { inStretches } from "../../src/db/bulk.ts";

const tooSlow = Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" });

test("numbered rows are processed in ranges, each once, with a shorter last one", async () => {
  const seen: number[][] = [];
  await inStretches(2500, 1000, async (after, upTo) => void seen.push([after, upTo]));
  expect(seen).toEqual([
    [0, 1000],
    [1000, 2000],
    [2000, 2500],
  ]);
});

test("F32: a stretch of rows whose statement times out is retried in halves, and no row is skipped or repeated", async () => {
  const done: number[][] = [];
  await inStretches(10_000, 8000, async (after, upTo) => {
    if (upTo - after > 2000) throw tooSlow;
    done.push([after, upTo]);
  });
  expect(done.map(([after]) => after)).toEqual([0, 2000, 4000, 6000, 8000]);
  expect(done.at(-1)).toEqual([8000, 10_000]);
});

test("a minimal range that takes too long is an error, as is any other failure", async () => {
  const sizes: number[] = [];
  const slow = inStretches(10_000, 8000, async (after, upTo) => {
    sizes.push(upTo - after);
    throw tooSlow;
  });
  await expect(slow).rejects.toBe(tooSlow);
  expect(sizes).toEqual([8000, 4000, 2000, 1000, 500]);
  await expect(inStretches(10, 10, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
});
