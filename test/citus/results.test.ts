import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, inject, test } from "vitest";
import { randomId } from "../../src/shared/crypto.ts";
import { CITUS_URL } from "../support/database/citus.ts";
import { testDatabase } from "../support/database/database.ts";
import { PRODUCTION } from "../support/production.ts";
import { dataFolder, freeAddresses } from "../support/samespot.ts";

const run = promisify(execFile);
const SECRETS = {
  ENCRYPTION_KEYS: "citus-keys-Vq8mZ2xT0pKc4LrW9sBnH7yE1uG",
  SESSION_SECRETS: "citus-session-h3Yt6Wq1ZpXv8KdR5mCjN0aB",
};

describe.skipIf(!CITUS_URL)("the sample on a Citus cluster", async () => {
  const [several, one] = CITUS_URL
    ? [await testDatabase({ template: "sample" }), await testDatabase({ template: "sample", onOneServer: true })]
    : [];

  test("gives the example file the scores and decisions of one server", { timeout: 300_000 }, async () => {
    const harmonized = await harmonize(several?.url);
    expect(harmonized).toBe(await harmonize(one?.url));
    expect(harmonized.match(/,matched,/g)?.length).toBeGreaterThan(100);
  });
});

/** Returns the written file without what is new in each run. */
async function harmonize(url = ""): Promise<string> {
  const out = path.join(inject("run").folder, `${randomId()}.csv`);
  const env = {
    PATH: process.env.PATH,
    ...PRODUCTION,
    ...(await freeAddresses()),
    ...SECRETS,
    DATABASE_URL: url,
    DATA_DIR: dataFolder(),
  };
  const args = ["src/cli.ts", "harmonize", "examples/listings.csv", "--candidates", "-o", out];
  await run(process.execPath, args, { env }).catch((error) => {
    if (!existsSync(out)) throw error; // a listing of the example fails, so the command does too
  });
  return readFileSync(out, "utf8").replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "");
}
