import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readConfig } from "../src/config.ts";
import { randomToken } from "../src/crypto.ts";
import { createLogger } from "../src/http/logger.ts";
import { prepareDirectory } from "../src/setup.ts";
import { testDatabase } from "./support/database.ts";
import { dataFolder } from "./support/samespot.ts";

const { url, database } = await testDatabase();
const config = readConfig({
  DATABASE_URL: url,
  DATA_DIR: dataFolder(),
  ENCRYPTION_KEYS: randomToken(),
  SESSION_SECRETS: randomToken(),
});
const log = createLogger({ level: "fatal", destination: new PassThrough().resume() });

test("the web app's own registration has no limit of calls, also one made before there were limits", async () => {
  const limitAfterStart = async () => {
    await prepareDirectory({ config, url, log });
    const { rateLimit } = await database.prisma.application.findFirstOrThrow();
    return rateLimit;
  };
  const setLimit = (rateLimit: number | null) => database.prisma.application.updateMany({ data: { rateLimit } });
  expect(await limitAfterStart()).toBe(0);
  await setLimit(null);
  expect(await limitAfterStart()).toBe(0);
  await setLimit(7000);
  expect(await limitAfterStart(), "an operator's number stays").toBe(7000);
  expect(await database.prisma.application.count()).toBe(1);
});
