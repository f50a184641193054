import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../cli/samespot-command.ts";
import { testDatabase } from "../support/database/database.ts";
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
    const { url: DATABASE_URL, database } = await testDatabase({ template: "none" });
    const { code, stdout, stderr } = await runCommand({ ...addresses, DATABASE_URL, DATA_DIR: dataFolder() }, [
      "start",
    ]);
    expect(stdout + stderr).toMatch(new RegExp(`^${setting}: .*Samespot may already be running`, "m"));
    expect(code).toBe(1);
    const { rows } = await database.pool.query(
      "SELECT nspname FROM pg_namespace WHERE nspname IN ('app', 'directory')",
    );
    expect(rows).toEqual([]);
  },
);
