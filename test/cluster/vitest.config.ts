import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/cluster/*.check.ts"],
    globalSetup: "test/support/global-setup.ts",
    testTimeout: 900_000,
    hookTimeout: 120_000,
  },
});
