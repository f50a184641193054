import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { ConfigError, readConfig } from "../../src/config/config.ts";

export const GOOD_KEY = "kI3mZ0pX9vQ7tB2nL5sD8fG1hJ4wR6yU";
export const GOOD_SECRET = "Tz4rYq8WmB1cVd6NxF3gHs9JkL2pQe7A";

/** Makes a folder for DATA_DIR, and a function that returns what is wrong with settings. Call it at the top of a test file. */
export function dataDir() {
  const folder = mkdtempSync(path.join(tmpdir(), "samespot-config-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  function problemsOf(env: Record<string, string>): string[] {
    try {
      readConfig({ DATA_DIR: folder, ...env });
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
    return [];
  }
  return { folder, problemsOf };
}
