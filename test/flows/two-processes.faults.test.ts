import { expect, it, onTestFinished } from "vitest";
import { randomToken } from "../../src/shared/crypto.ts";
import { launchBrowser, openPage } from "../support/browser.ts";
import { testDatabase } from "../support/database/database.ts";
import { dataFolder, freeAddresses, spawnSamespot } from "../support/samespot.ts";
import { expectNothingLeaked, recordTraffic, secretsOf } from "./traffic.ts";
import { walk } from "./walk.ts";

const { url, database } = await testDatabase({ template: "sample" });
const [encryptionKey, sessionSecret] = [randomToken(), randomToken()];

it("the walk works with app and directory in two processes on one PostgreSQL", async () => {
  const addresses = await freeAddresses();
  const shared = {
    ...addresses,
    DATABASE_URL: url,
    SAMPLE_DATA: "on",
    ENCRYPTION_KEYS: encryptionKey,
    SESSION_SECRETS: sessionSecret,
  };
  const start = async (role: string) => {
    const process = await spawnSamespot({ env: { ...shared, ROLES: role }, dataDir: dataFolder() });
    onTestFinished(async () => void (await process.kill("SIGKILL")));
    return process;
  };
  const directory = await start("directory");
  const app = await start("app");
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());

  const page = await openPage(browser);
  const traffic = recordTraffic(page);
  const site = { webUrl: addresses.APP_URL, authUrl: addresses.AUTH_URL };
  const account = directory.demo;
  expect(await walk({ page, site, account, look: async () => {} })).toBeGreaterThan(100);

  expect(await app.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(await directory.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  const secrets = await secretsOf(database, { encryptionKeys: [encryptionKey], baseUrl: addresses.BASE_URL });
  const logs = {
    "the app's output": app.output(),
    "the directory's output": directory.output().replace(/^Demo account: .*$/m, ""),
  };
  await expectNothingLeaked(traffic, logs, {
    ...secrets,
    password: [account.password],
    "session secret": [sessionSecret],
  });
});
