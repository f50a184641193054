import { defineConfig } from "vitest/config";
import type { TestCase } from "vitest/node";

/** Names a test that failed first. .ci/run lists these lines. */
const reporter = {
  onTestCaseResult(test: TestCase) {
    if (test.diagnostic()?.flaky)
      console.log(
        `passed only the second time: ${test.module.relativeModuleId} > ${test.fullName} (${firstLine(test)})`,
      );
  },
};

const firstLine = (test: TestCase) => test.result().errors?.[0]?.message.split("\n")[0];

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/global-setup.ts",
    setupFiles: "test/support/password-cost.ts",
    maxWorkers: 2,
    // A worker keeps the modules it has read: reading them anew for each file takes a third of the whole run.
    isolate: false,
    // These limits only end what hangs: a shared machine may be several times slower than a developer's.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    retry: process.env.CI ? 1 : 0,
    reporters: ["default", reporter],
  },
});
