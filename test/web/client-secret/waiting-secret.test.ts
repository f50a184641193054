import { expect, test } from "vitest";
import { expectNoSecrets } from "../../support/canaries.ts";
import { hangs, usual } from "../../support/fake-directory/behaviours.ts";
import { secretKeeper } from "./secret-keeper.ts";

const { directory, newKeeper, rotate, inUse, logs, database } = await secretKeeper();
const newest = () => directory.client.live[0]?.secret ?? "";
const logged = (words: string) => logs.lines.filter((line) => line.includes(words)).length;
const waits = () => database.prisma.clientCredential.count({ where: { switchedOnAt: null, endedAt: null } });

test("W09: a waiting secret is switched on when it passes its test, and a failed test is logged once", async () => {
  directory.behave("/oauth2/access_token", hangs());
  await expect(rotate()).rejects.toMatchObject({ status: 503 });
  const keep = newKeeper();
  await keep();
  await keep();
  expect([await inUse(), await waits()]).toEqual([directory.client.secret, 1]);
  expect(logged("did not pass its test")).toBe(1);
  directory.behave("/oauth2/access_token", usual);
  await keep();
  expect([await inUse(), await waits()]).toEqual([newest(), 0]);
  expect(logged("and is in use")).toBe(1);
  expectNoSecrets({ log: logs.text() }, { "client secret": [directory.client.secret, newest()] });
});
