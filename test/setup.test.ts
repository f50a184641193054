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

test("the web app's own registration has no limit of calls and may change its secret, also one made before that", async () => {
  const afterStart = async () => {
    await prepareDirectory({ config, url, log });
    const { rateLimit, rotatesItself } = await database.prisma.application.findFirstOrThrow();
    return { rateLimit, rotatesItself };
  };
  const change = (data: { rateLimit: number | null; rotatesItself?: boolean }) =>
    database.prisma.application.updateMany({ data });
  expect(await afterStart()).toEqual({ rateLimit: 0, rotatesItself: true });
  await change({ rateLimit: null, rotatesItself: false });
  expect(await afterStart()).toEqual({ rateLimit: 0, rotatesItself: true });
  await change({ rateLimit: 7000 });
  expect(await afterStart(), "an operator's number stays").toEqual({ rateLimit: 7000, rotatesItself: true });
  expect(await database.prisma.application.count()).toBe(1);
});
