import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { DirectoryError, type DirectoryErrorKind } from "../../src/directory-client/calls/errors.ts";
import { createThrottle } from "../../src/directory-client/throttle.ts";

/** Makes short concurrent calls, and returns the maximum that ran at once. */
async function widest(throttle: ReturnType<typeof createThrottle>, count: number, kind?: DirectoryErrorKind) {
  let running = 0;
  let most = 0;
  const call = async () => {
    most = Math.max(most, ++running);
    await sleep(2);
    running -= 1;
    if (kind) throw new DirectoryError(kind);
    return true;
  };
  await Promise.allSettled(Array.from({ length: count }, () => throttle(call)));
  return most;
}

test("calls start two at a time, and rise to at most sixteen with success", async () => {
  const throttle = createThrottle();
  expect(await widest(throttle, 2)).toBe(2);
  expect(await widest(throttle, 20)).toBeLessThan(8);
  expect(await widest(throttle, 300)).toBe(16);
  expect(await widest(throttle, 100)).toBe(16);
});

test.each(["rate_limited", "unreachable"] as const)(
  "an answer that is %s lowers the number of concurrent calls, to no less than one",
  async (kind) => {
    const throttle = createThrottle();
    await widest(throttle, 300);
    await widest(throttle, 1, kind);
    expect(await widest(throttle, 8)).toBe(8);
    await widest(throttle, 40, kind);
    expect(await widest(throttle, 1)).toBe(1);
    expect(await widest(throttle, 3)).toBeLessThanOrEqual(2);
  },
);

test("other failures and skipped calls leave the number of concurrent calls unchanged", async () => {
  const throttle = createThrottle();
  await widest(throttle, 50, "rejected");
  for (let time = 0; time < 50; time += 1) await throttle(async () => undefined);
  expect(await widest(throttle, 2)).toBe(2);
  expect(await widest(throttle, 4)).toBeLessThanOrEqual(3);
});

test("calls start in order of arrival, and each gets its own answer", async () => {
  const throttle = createThrottle();
  const begun: number[] = [];
  const answers = Array.from({ length: 30 }, (_, at) =>
    throttle(async () => {
      begun.push(at);
      await sleep(30 - at);
      return at;
    }),
  );
  expect(await Promise.all(answers)).toEqual(begun.toSorted((a, b) => a - b));
  expect(begun).toEqual(begun.toSorted((a, b) => a - b));
});
