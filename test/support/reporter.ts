import type { Reporter, TestCase, TestModule } from "vitest/node";

/** A test of `npm test` that takes longer is named, or four hundred times the median test if the machine is slow. */
const SLOW_MS = 2000;
const SLOW_OF_MEDIAN = 400;
/** A run of a few files has no median worth the name. */
const WHOLE_RUN_TESTS = 3000;

/**
 * Names tests that failed first and passed then, and at the end those that failed, and after a whole run of `npm test` its slow
 * ones. Its last line is "N passed, N failed, N skipped".
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
      for (const { name, milliseconds } of slow)
        console.log(`slow: ${name} took ${(milliseconds / 1000).toFixed(1)} s. Mend it, or move it to another tier.`);
      for (const name of failedOnes(modules)) console.log(`failed: ${name}`);
      const { passed, failed, skipped } = count(modules);
      console.log(`${passed} passed, ${failed + errors.length} failed, ${skipped} skipped`);
    },
  };
}

const nameOf = (test: TestCase) => `${test.module.relativeModuleId} > ${test.fullName}`;
const firstLine = (test: TestCase) => test.result().errors?.[0]?.message.split("\n")[0];

function slowOnes(durations: { name: string; milliseconds: number }[]) {
  const sorted = durations.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const limit = Math.max(SLOW_MS, SLOW_OF_MEDIAN * (sorted[sorted.length >> 1] ?? 0));
  return durations.filter(({ milliseconds }) => milliseconds > limit);
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
