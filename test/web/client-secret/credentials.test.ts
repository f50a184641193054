import { beforeEach, expect, test } from "vitest";
import { sweepWeb } from "../../../src/web/base/sweep.ts";
import {
  createWebVault,
  currentCredentials,
  storeCredentials,
  storedCredentials,
} from "../../../src/web/client-secret/credentials.ts";
import { testDatabase } from "../../support/database/database.ts";

const { database } = await testDatabase();
const { prisma, pool } = database;
const vault = createWebVault(["0123456789abcdefghijklmnopqrstuv"]);
const keeper = { prisma, pool, vault };
const DIRECTORY = "https://api.example";
const old = { clientId: "ours", clientSecret: "old-secret" };
const fresh = { clientId: "ours", clientSecret: "new-secret" };

/** Each at its own millisecond, by which they are ordered. */
async function store(credentials: typeof old, directory = DIRECTORY): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  await storeCredentials(keeper, directory, credentials, { origin: "setup" });
}

beforeEach(() => prisma.clientCredential.deleteMany());

const settings = (client?: { id: string; secret: string }) => ({ api: { url: DIRECTORY, host: "", port: 0 }, client });

test("the newest credentials stored for a directory are in use, and their secret is sealed", async () => {
  await store(old);
  await store(fresh);
  await store({ clientId: "theirs", clientSecret: "other-secret" }, "https://other.example");
  expect(await storedCredentials(keeper, DIRECTORY)).toMatchObject(fresh);
  for (const { secret } of await prisma.clientCredential.findMany())
    expect(Buffer.from(secret ?? []).toString("latin1")).not.toContain("secret");
});

test("a sealed secret copied to another row does not open (S03)", async () => {
  await store(old);
  const { secret } = await prisma.clientCredential.findFirstOrThrow();
  await prisma.clientCredential.deleteMany();
  await prisma.clientCredential.create({
    data: { directory: DIRECTORY, clientId: "ours", secret, switchedOnAt: new Date() },
  });
  expect(await storedCredentials(keeper, DIRECTORY)).toBeUndefined();
});

test("the credentials of the settings are in use until newer ones of the same client are stored", async () => {
  const config = settings({ id: "ours", secret: "from-settings" });
  const given = { clientId: "ours", clientSecret: "from-settings" };
  expect(await currentCredentials({ config, ...keeper })).toMatchObject(given);
  await store({ clientId: "another", clientSecret: "x" });
  expect(await currentCredentials({ config, ...keeper })).toMatchObject(given);
  await store(fresh);
  expect(await currentCredentials({ config, ...keeper })).toMatchObject(fresh);
});

test("credentials that are neither stored nor in the settings are reported with status 503", async () => {
  await expect(currentCredentials({ config: settings(), ...keeper })).rejects.toMatchObject({ status: 503 });
});

test("the sweep deletes only expired log-ins and sessions", async () => {
  const hours = (number: number) => new Date(Date.now() + number * 3_600_000);
  const bytes = (number: number) => new Uint8Array(32).fill(number);
  for (const [number, expiresAt] of [hours(-2), hours(-0.5), hours(0.1)].entries())
    await prisma.loginAttempt.create({
      data: { stateHash: bytes(number), bindingHash: bytes(number), next: "/", expiresAt },
    });
  for (const [number, expiresAt] of [hours(-25), hours(-23), hours(1)].entries())
    await prisma.appSession.create({ data: { idHash: bytes(number), data: {}, expiresAt } });
  await sweepWeb(pool);
  expect([await prisma.loginAttempt.count(), await prisma.appSession.count()]).toEqual([2, 2]);
});
