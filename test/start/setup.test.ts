import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { addApplication } from "../../src/directory/applications/applications.ts";
import { checkPassword } from "../../src/directory/users.ts";
import { createLogger } from "../../src/http/logger.ts";
import { prepareDirectory } from "../../src/start/setup.ts";
import { startHeartbeat } from "../../src/web/base/instances.ts";
import { createWebVault, storedCredentials } from "../../src/web/client-secret/credentials.ts";
import { makeAccount, makeHarmonization } from "../harmonize/rows.ts";
import { testDatabase } from "../support/database/database.ts";
import { collectLogs } from "../support/logs.ts";
import { PRODUCTION } from "../support/production.ts";
import { dataFolder } from "../support/samespot.ts";

const { url, database } = await testDatabase();
const config = readConfig({ ...PRODUCTION, DATABASE_URL: url, DATA_DIR: dataFolder() });
const log = createLogger({ level: "fatal", destination: new PassThrough().resume() });

test("the web app's own registration has no call limit and may change its secret, even an earlier registration", async () => {
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

test("the web app's provider id is reserved for it, even for an earlier registration, and PROVIDER_ID adds another", async () => {
  const { prisma } = database;
  await prisma.provider.deleteMany();
  await prepareDirectory({ config, url, log });
  const { clientId } = await prisma.application.findFirstOrThrow();
  const reserved = async () => (await prisma.provider.findMany()).map((row) => [row.id, row.clientId]);
  expect([config.providerId, await reserved()]).toEqual(["samespot", [["samespot", clientId]]]);
  const chosen = { ...config, providerId: "our-maps" };
  await prepareDirectory({ config: chosen, url, log });
  expect((await reserved()).toSorted()).toEqual([
    ["our-maps", clientId],
    ["samespot", clientId],
  ]);
});

describe("under a new address of the API", () => {
  const at = (address: string) => ({ ...config, api: { ...config.api, url: address } });
  const { prisma } = database;
  const start = (address: string) => prepareDirectory({ config: at(address), url, log });

  test("F72: the web app keeps its accounts, files, application and provider ids", async () => {
    const account = await makeAccount(database, "Ada", config.api.url);
    const { id } = await makeHarmonization(database, account, [], { directory: config.api.url });
    const owned = async () => ({
      file: (await prisma.harmonization.findUniqueOrThrow({ where: { id } })).directory,
      accounts: (await prisma.account.findMany()).map(({ directory }) => directory),
      applications: await prisma.application.count(),
      providers: await prisma.provider.findMany({ orderBy: { id: "asc" } }),
    });
    const before = await owned();
    expect(before.file).toBe(config.api.url);
    const address = "http://localhost:4002";
    await start(address);
    expect(await owned()).toEqual({ ...before, file: address, accounts: before.accounts.map(() => address) });
    const keeper = { ...database, vault: createWebVault(config.encryptionKeys) };
    expect(await storedCredentials(keeper, address)).toBeDefined();
    await start(config.api.url);
    expect(await owned()).toEqual(before);
  });

  test("F72: a start is refused while another process runs under the former address", async () => {
    const running = { roles: ["app"], version: "1", problems: () => [], onFailure: () => {} };
    const heartbeat = await startHeartbeat(database.pool, running);
    await expect(start("http://localhost:4002")).rejects.toThrow(`runs with its API at ${config.api.url}`);
    await start(config.api.url);
    await heartbeat.stop();
    await start("http://localhost:4002");
    await start(config.api.url);
  });

  test("F72: files of another directory keep its address", async () => {
    const directory = "https://api.elsewhere.example";
    const { id } = await makeHarmonization(database, null, [], { directory });
    await start("http://localhost:4002");
    await start(config.api.url);
    expect(await prisma.harmonization.findUnique({ where: { id } })).toMatchObject({ directory });
  });
});

test("a foreign or invalid provider id is logged and does not prevent the start", async () => {
  const { prisma } = database;
  const { ownerId } = await prisma.application.findFirstOrThrow();
  const redirectUris = ["https://x.example/"];
  const { clientId } = await addApplication({ prisma }, { ownerId, name: "Quicker", redirectUris });
  await prisma.provider.create({ data: { id: "taken", clientId } });
  for (const providerId of ["taken", "no good"]) {
    const logs = collectLogs();
    const noting = createLogger({ level: "warn", destination: logs });
    await prepareDirectory({ config: { ...config, providerId }, url, log: noting });
    expect(logs.text()).toMatch(/cannot annotate.*PROVIDER_ID/);
  }
  expect(await prisma.provider.findUnique({ where: { id: "taken" } })).toMatchObject({ clientId });
});

test("external credentials come without a provider id unless it is set", () => {
  const env = { ...PRODUCTION, DATABASE_URL: url, CLIENT_ID: "id", CLIENT_SECRET: "a secret of elsewhere" };
  expect(readConfig(env).providerId).toBeUndefined();
  expect(readConfig({ ...env, PROVIDER_ID: "ours" }).providerId).toBe("ours");
});

test("W08: the first of ADMINS gets an account with ADMIN_PASSWORD, in a directory without people and never later", async () => {
  const empty = await testDatabase();
  const withPassword = (adminPassword: string, admins = ["Grace", "ada"]) => ({ ...config, admins, adminPassword });
  const prepare = (changed: typeof config) => prepareDirectory({ config: changed, url: empty.url, log });
  await expect(prepare(withPassword("password"))).rejects.toThrow("with ADMIN_PASSWORD: password is too common");
  await prepare(withPassword("a long way from home"));
  const deps = { prisma: empty.database.prisma };
  expect(await checkPassword(deps, "grace", "a long way from home")).toBeDefined();
  await prepare(withPassword("another long password", ["ada"]));
  expect(await checkPassword(deps, "ada", "another long password")).toBeUndefined();
  expect(await checkPassword(deps, "grace", "a long way from home")).toBeDefined();
});
