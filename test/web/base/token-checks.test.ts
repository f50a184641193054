import { expect, test } from "vitest";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import { createTokenChecks } from "../../../src/web/base/token-checks.ts";

const MINUTES = 60_000;
type Answer = "taken" | "refused_token" | "not_found" | "unreachable" | "rate_limited" | "silent";

function checks() {
  const state = { answer: "taken" as Answer, now: 0, asked: 0, late: 0 };
  const self = async () => {
    state.asked += 1;
    if (state.answer === "silent") await new Promise(() => {});
    if (state.answer !== "taken") throw new DirectoryError(state.answer as never, undefined);
    return {} as never;
  };
  const made = createTokenChecks({ directory: { self }, waitMs: 5, now: () => state.now });
  const isRefused = async (changes: boolean) => {
    const onRefused = async () => {
      state.late += 1;
    };
    const now = await made.isRefused("token", { changes, onRefused });
    await new Promise((resolve) => setImmediate(resolve));
    return now;
  };
  return { state, isRefused };
}

const AGES = [0, 1, 2, 3, 4.9, 5, 6, 60];

test.each(AGES)(
  "C82: a change is made with no token that the directory took more than five minutes ago (%d)",
  async (age) => {
    const { state, isRefused } = checks();
    expect(await isRefused(true)).toBe(false);
    Object.assign(state, { answer: "refused_token", now: age * MINUTES });
    expect(await isRefused(true)).toBe(age >= 5);
    state.now += 5 * MINUTES;
    expect(await isRefused(true)).toBe(true);
  },
);

test("C82: a page does not wait for the answer, which ends the session later; what is fresh is not asked for", async () => {
  const { state, isRefused } = checks();
  await isRefused(false);
  state.now = 1 * MINUTES;
  await isRefused(true);
  expect(state.asked).toBe(1);
  Object.assign(state, { answer: "refused_token", now: 3 * MINUTES });
  expect([await isRefused(false), state.late, state.asked]).toEqual([false, 1, 2]);
});

test.each(["not_found", "unreachable", "rate_limited", "silent"] as const)(
  "C82: a directory that answers %s refuses nobody",
  async (answer) => {
    const { state, isRefused } = checks();
    state.answer = answer;
    expect([await isRefused(true), state.late]).toEqual([false, 0]);
  },
);
