import fc from "fast-check";
import { expect, test } from "vitest";
import { slice, sourceOfPieces } from "../../../src/files/formats/base/source.ts";
import { answering, RUNS, schedules } from "./any-order.ts";

test("F73: slices that are asked for at once and answered in any order get their own bytes", async () => {
  const file = Buffer.from(Array.from({ length: 3 * 1024 * 1024 }, (_, at) => at % 251));
  const slices = fc.array(fc.tuple(fc.nat(file.length), fc.nat(700_000)), { minLength: 5, maxLength: 12 });
  const holds = fc.asyncProperty(slices, schedules, async (asked, schedule) => {
    const { read, close } = answering(file, schedule);
    const source = sourceOfPieces(file.length, read);
    const found = await Promise.all(asked.map(([start, size]) => slice(source, start, start + size)));
    expect(close()).toBeGreaterThan(1);
    for (const [index, [start, size]] of asked.entries())
      expect(found[index]?.equals(file.subarray(start, start + size))).toBe(true);
  });
  await fc.assert(holds, RUNS);
});
