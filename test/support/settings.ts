import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { ConfigError, readConfig } from "../../src/config/config.ts";
import { PRODUCTION } from "./production.ts";

export const GOOD_KEY = PRODUCTION.ENCRYPTION_KEYS;
export const GOOD_SECRET = PRODUCTION.SESSION_SECRETS;

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
