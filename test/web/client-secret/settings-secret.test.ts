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

test("W09: an accepted CLIENT_SECRET replaces a stored secret that is refused, at the start", async () => {
  await store(DEAD);
  expect(sessionOf(await app.logIn())).toBeUndefined();
  const housekeeping = startHousekeeping({ config: { roles: new Set(["app"]) }, database, log, web });
  await expect.poll(inUse).toBe(settings);
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

test("W09: an accepted stored secret stays in use, and CLIENT_SECRET is not tested", async () => {
  const stored = addSecret(directory.client);
  await store(stored);
  await newKeeper()();
  expect(await inUse()).toBe(stored);
  const tried = directory.requests.map(({ params }) => params.client_secret);
  expect([tried.includes(stored), tried.slice(-2).includes(settings)]).toEqual([true, false]);
  expect(logs.text()).toContain("the stored client secret is in use");
});

test("W09: nothing changes while the directory is unreachable, and it is asked again later", async () => {
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

test("W09: if both secrets are refused, the stored one stays in use and both are tested once", async () => {
  await store(DEAD);
  directory.client.live.splice(0);
  const keep = newKeeper();
  await keep();
  const asked = directory.requests.length;
  await keep();
  expect([await inUse(), directory.requests.length]).toEqual([DEAD, asked]);
  expect(logs.text()).toContain("and CLIENT_SECRET as well");
});
