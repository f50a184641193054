import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../support/database/database.ts";
import { PRODUCTION } from "../support/production.ts";
import { dataFolder, freeAddresses } from "../support/samespot.ts";

test.each([
  ["AUTH_URL", "AUTH_PORT"],
  ["BASE_URL", "API_PORT"],
  ["APP_URL", "APP_PORT"],
] as const)(
  "F72: a start whose port of %s is in use reports that, writes nothing and exits with 1",
  async (taken, setting) => {
    const addresses = await freeAddresses();
    const other = createServer().listen(Number(new URL(addresses[taken]).port), "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const { url: DATABASE_URL, database } = await testDatabase({ template: "none" });
    const env = { PATH, NODE_COMPILE_CACHE, ...PRODUCTION, ...addresses, DATABASE_URL, DATA_DIR: dataFolder() };
    const ended = await new Promise<{ code: unknown; output: string }>((resolve) => {
      execFile(process.execPath, ["src/main.ts"], { env, timeout: 60_000 }, (error, stdout, stderr) =>
        resolve({ code: error?.code, output: stdout + stderr }),
      );
    });
    expect(ended.output).toMatch(new RegExp(`^${setting}: .*Samespot may already be running`, "m"));
    expect(ended.code).toBe(1);
    const { rows } = await database.pool.query(
      "SELECT nspname FROM pg_namespace WHERE nspname IN ('app', 'directory')",
    );
    expect(rows).toEqual([]);
  },
);
