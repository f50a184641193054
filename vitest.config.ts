import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/global-setup.ts",
    // A file that mostly waits (for a server to start, a time-out to pass) leaves its processor to another.
    maxWorkers: 4,
    // A worker keeps the modules it has read: reading them anew for each file takes a third of the whole run.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
