import { expect, test } from "vitest";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import { createTokenChecks } from "../../../src/web/base/token-checks.ts";

const SECONDS = 1000;
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
  const isRefused = async () => {
    const now = await made.isRefused("token", async () => {
      state.late += 1;
    });
    await new Promise((resolve) => setImmediate(resolve));
    return now;
  };
  return { state, isRefused };
}

test.each([0, 1, 29, 30, 45, 59.9, 60, 61, 300, 3600])(
  "W123: nothing is shown or changed with a token that the directory took more than a minute ago (%d seconds)",
  async (age) => {
    const { state, isRefused } = checks();
    expect(await isRefused()).toBe(false);
    Object.assign(state, { answer: "refused_token", now: age * SECONDS });
    expect(await isRefused()).toBe(age >= 60);
    state.now += 60 * SECONDS;
    expect(await isRefused()).toBe(true);
  },
);

test("W123: within that minute nobody waits for the answer, which ends the session later; what is fresh is not asked for", async () => {
  const { state, isRefused } = checks();
  await isRefused();
  state.now = 20 * SECONDS;
  await isRefused();
  expect(state.asked).toBe(1);
  Object.assign(state, { answer: "refused_token", now: 40 * SECONDS });
  expect([await isRefused(), state.late, state.asked]).toEqual([false, 1, 2]);
});

test.each(["not_found", "unreachable", "rate_limited", "silent"] as const)(
  "C82: a directory that answers %s refuses nobody",
  async (answer) => {
    const { state, isRefused } = checks();
    state.answer = answer;
    expect([await isRefused(), state.late]).toEqual([false, 0]);
  },
);

test("C82: for a directory that was silent nobody waits again within half a minute", async () => {
  const { state, isRefused } = checks();
  state.answer = "silent";
  await isRefused();
  const waits = async () => {
    const first = await Promise.race([isRefused(), new Promise((resolve) => setTimeout(resolve, 1, "waits"))]);
    return first === "waits";
  };
  const seen = [];
  for (const at of [0, 29, 30]) {
    state.now = at * SECONDS;
    seen.push(await waits());
  }
  expect(seen).toEqual([false, false, true]);
});
