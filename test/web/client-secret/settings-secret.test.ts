import { expect, test } from "vitest";
import { startHousekeeping } from "../../../src/start/housekeeping.ts";
import { storeCredentials } from "../../../src/web/client-secret/credentials.ts";
import { expectNoSecrets } from "../../support/canaries.ts";
import { answers, usual } from "../../support/fake-directory/behaviours.ts";
import { addSecret } from "../../support/fake-directory/fake-secrets.ts";
import { sessionOf } from "../web-app.ts";
import { secretKeeper } from "./secret-keeper.ts";

const { app, web, directory, database, config, newKeeper, inUse, logs, log } = await secretKeeper();
const settings = directory.client.secret;
const DEAD = "stored-and-dead-secret";

const store = (clientSecret: string, clientId = directory.client.id) =>
  storeCredentials(web, config.api.url, { clientId, clientSecret }, { origin: "setup" });

test("W09: a CLIENT_SECRET that is accepted takes the place of a stored one that is dead, from the start on", async () => {
  await store(DEAD);
  expect(sessionOf(await app.logIn())).toBeUndefined();
  const housekeeping = startHousekeeping({ config: { roles: new Set(["app"]) }, database, log, web });
  await expect.poll(inUse, { timeout: 5000 }).toBe(settings);
  await housekeeping.stop();
  expect(sessionOf(await app.logIn())).toBeDefined();
  const rows = await database.prisma.clientCredential.findMany({ orderBy: { createdAt: "asc" } });
  expect(rows.map(({ endedAt, secret }) => [endedAt !== null, secret === null])).toEqual([
    [true, true],
    [false, false],
  ]);
  expect(logs.text()).toContain("CLIENT_SECRET is in use");
  expectNoSecrets({ log: logs.text() }, { "client secret": [settings, DEAD] });
});

test("W09: a stored secret that is accepted stays, and CLIENT_SECRET is not even tried", async () => {
  const stored = addSecret(directory.client);
  await store(stored);
  await newKeeper()();
  expect(await inUse()).toBe(stored);
  const tried = directory.requests.map(({ params }) => params.client_secret);
  expect([tried.includes(stored), tried.slice(-2).includes(settings)]).toEqual([true, false]);
  expect(logs.text()).toContain("the stored client secret is in use");
});

test("W09: while the directory cannot be asked nothing changes, and it is asked again", async () => {
  await store(DEAD);
  directory.behave("/oauth2/access_token", answers(503, "no"));
  directory.behave("/v2/*", answers(503, "no"));
  const keep = newKeeper();
  await keep();
  expect(await inUse()).toBe(DEAD);
  directory.behave("/oauth2/access_token", usual);
  directory.behave("/v2/*", usual);
  await keep();
  expect(await inUse()).toBe(settings);
});

test("W09: when both are refused the stored one stays, and they are tried once", async () => {
  await store(DEAD);
  directory.client.live.splice(0);
  const keep = newKeeper();
  await keep();
  const asked = directory.requests.length;
  await keep();
  expect([await inUse(), directory.requests.length]).toEqual([DEAD, asked]);
  expect(logs.text()).toContain("and CLIENT_SECRET as well");
});
