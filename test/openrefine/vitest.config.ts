import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/openrefine/*.check.ts"],
    globalSetup: "test/support/global-setup.ts",
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
});
