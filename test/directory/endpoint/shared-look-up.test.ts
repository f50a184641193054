import type { Pool } from "pg";
import { expect, test } from "vitest";
import type { CountedCall } from "../../../src/directory/counters.ts";
import type { Caller } from "../../../src/directory/endpoint/credentials.ts";
import { sharedLookUp } from "../../../src/directory/endpoint/lines.ts";

/** A look-up that returns or throws when told to. */
function lookUps() {
  const pool = {} as Pool;
  const begun: (CountedCall & { succeed: (count?: number) => void; fail: (error: Error) => void })[] = [];
  const look = (call: CountedCall) =>
    new Promise<Caller>((resolve, reject) => {
      const succeed = (count?: number) => {
        const counted = count === undefined ? undefined : { count, resetAt: 1, secondsLeft: 1 };
        resolve({ clientId: "a", position: null, rateLimit: 9, access: "enabled", counted });
      };
      begun.push({ ...call, succeed, fail: reject });
    });
  const call = (key = "a", cost = 1) => sharedLookUp(pool, key, { group: "venues", cost }, look);
  return { begun, call };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("C25: calls that arrive during a look-up share the next one, and each gets its own count", async () => {
  const { begun, call } = lookUps();
  const first = call();
  await settled();
  const others = [call(), call("a", 5), call()];
  await settled();
  expect(begun).toHaveLength(1);
  begun[0]?.succeed(10);
  expect((await first).counted?.count).toBe(10);
  await settled();
  expect(begun.map(({ cost }) => cost)).toEqual([1, 7]);
  begun[1]?.succeed(17);
  const counts = (await Promise.all(others)).map(({ counted }) => counted?.count);
  expect(counts).toEqual([11, 16, 17]);
});

test("calls with other credentials wait for none, and a call that nobody counted stays so", async () => {
  const { begun, call } = lookUps();
  const calls = [call("a"), call("b")];
  await settled();
  for (const each of begun) each.succeed();
  expect((await Promise.all(calls)).map(({ counted }) => counted)).toEqual([undefined, undefined]);
});

test("a failed look-up fails its calls only, and the next one follows", async () => {
  const { begun, call } = lookUps();
  const first = call();
  await settled();
  const second = call();
  begun[0]?.fail(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  await settled();
  begun[1]?.succeed(1);
  expect((await second).counted?.count).toBe(1);
  const third = call();
  await settled();
  begun[2]?.succeed(2);
  expect((await third).counted?.count).toBe(2);
});
