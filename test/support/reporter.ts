import type { Reporter, TestCase, TestModule } from "vitest/node";

/** A test of `npm test` that takes longer is named, or four hundred times the median test if the machine is slow. */
const SLOW_MS = 2000;
const SLOW_OF_MEDIAN = 400;
/** Of that limit. A test beyond it fails the run: neighbours that use the machine for a moment seldom make one so slow. */
const FAILS_FROM = 4;
/** A run of a few files has no median worth the name. */
const WHOLE_RUN_TESTS = 3000;

/** Tests that walk through everything and may take long. By the beginning of their name. */
export const MAY_BE_SLOW = [
  "test/flows/walk.test.ts > ",
  "test/attacks/pages/attributions.test.ts > C73: ",
  "test/attacks/pages/app-crawl.test.ts > W02: ",
];

/**
 * Names tests that failed first and passed then, and at the end those that failed, and after a whole run of `npm test` its slow
 * ones, of which the slowest fail the run. Its last line is "N passed, N failed, N skipped".
 */
export function samespotReporter(): Reporter {
  const durations: { name: string; milliseconds: number }[] = [];
  return {
    onTestCaseResult(test) {
      const { flaky = false, duration = 0 } = test.diagnostic() ?? {};
      if (flaky) console.log(`passed only the second time: ${nameOf(test)} (${firstLine(test)})`);
      if (test.project.name === "quick") durations.push({ name: nameOf(test), milliseconds: duration });
    },
    onTestRunEnd(modules, errors) {
      const slow = durations.length < WHOLE_RUN_TESTS ? [] : slowOnes(durations);
      for (const { name, milliseconds, fails } of slow)
        console.log(`${fails ? "too slow" : "slow"}: ${name} took ${(milliseconds / 1000).toFixed(1)} s. ${MEND}`);
      if (slow.some(({ fails }) => fails)) process.exitCode = 1;
      for (const name of failedOnes(modules)) console.log(`failed: ${name}`);
      const { passed, failed, skipped } = count(modules);
      console.log(`${passed} passed, ${failed + errors.length} failed, ${skipped} skipped`);
    },
  };
}

const nameOf = (test: TestCase) => `${test.module.relativeModuleId} > ${test.fullName}`;
const firstLine = (test: TestCase) => test.result().errors?.[0]?.message.split("\n")[0];

const MEND = "Mend it, or move it to another tier.";

/** Those beyond the limit of their run's machine, but for MAY_BE_SLOW, slowest first. */
export function slowOnes(durations: readonly { name: string; milliseconds: number }[]) {
  const sorted = durations.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const limit = Math.max(SLOW_MS, SLOW_OF_MEDIAN * (sorted[sorted.length >> 1] ?? 0));
  return durations
    .filter(({ name, milliseconds }) => milliseconds > limit && !MAY_BE_SLOW.some((each) => name.startsWith(each)))
    .map((each) => ({ ...each, fails: each.milliseconds > FAILS_FROM * limit }))
    .sort((a, b) => b.milliseconds - a.milliseconds);
}

/** So that the end of a log of all steps (test/all.ts) says it. */
function failedOnes(modules: readonly TestModule[]): string[] {
  const tests = modules.flatMap((module) => [...module.children.allTests("failed")]);
  return tests.map((test) => `${nameOf(test)} (${firstLine(test)})`);
}

/** A file that could not start counts as one failure. */
function count(modules: readonly TestModule[]) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const module of modules) {
    const states = [...module.children.allTests()].map((test) => test.result().state);
    if (states.length === 0 && module.state() === "failed") counts.failed += 1;
    for (const state of states) if (state !== "pending") counts[state] += 1;
  }
  return counts;
}
