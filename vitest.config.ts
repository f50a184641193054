import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { PRODUCTION } from "./test/support/production.ts";
import { samespotReporter } from "./test/support/reporter.ts";

/**
 * What a test needs, said by the end of its file's name, and the command that runs it. `quick` is everything else: pure functions,
 * database, HTTP, servers, and the few browser files of test/walls/tiers.test.ts.
 */
const TIERS = ["browser", "faults", "clients"] as const;
const ofTier = (tier: string) => `test/**/*.${tier}.test.ts`;

const project = (
  name: string,
  test: { include: string[]; exclude?: string[]; globalSetup?: string[]; setupFiles?: string[] },
) => ({
  extends: true as const,
  test: { name, ...test },
});

export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/password-cost.ts", "test/support/compiled.ts"],
    // Of libraries that read it themselves, and of programs that inherit the environment.
    env: { NODE_ENV: PRODUCTION.NODE_ENV },
    // A third worker uses the processors while two wait for the database or a timer; with a fourth a run takes as long.
    maxWorkers: availableParallelism() + 1,
    // A worker keeps the modules it has read: reading them anew for each file takes a third of the whole run.
    isolate: false,
    // Node reads the files itself, as it does for users, and twice as fast.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // These limits only end what hangs: a shared machine may be several times slower than a developer's.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    retry: process.env.CI ? 1 : 0,
    reporters: ["default", samespotReporter()],
    projects: [
      project("quick", {
        include: ["test/**/*.test.ts"],
        // The tier of clients installs packages, some with tests of their own.
        exclude: [...configDefaults.exclude, ...TIERS.map(ofTier)],
        setupFiles: ["test/support/reading-inside.ts"],
      }),
      project("browser", { include: [ofTier("browser")] }),
      project("faults", { include: [ofTier("faults")] }),
      project("clients", { include: [ofTier("clients")], globalSetup: ["test/clients/global-setup.ts"] }),
    ],
  },
});
