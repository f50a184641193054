import { expect, test } from "vitest";
import { currentCredentials, storeCredentials } from "../../../src/web/client-secret/credentials.ts";
import { answers } from "../../support/fake-directory/behaviours.ts";
import { addSecret, takes } from "../../support/fake-directory/fake-secrets.ts";
import { secretKeeper } from "./secret-keeper.ts";

const { web, directory, database, config, newKeeper, rotate } = await secretKeeper();

/** Rotates, and moves the rotation back in time, here and at the directory. */
async function rotated(secondsAgo: number, how?: { endsEarly: boolean }): Promise<void> {
  await rotate(how);
  await database.pool.query(
    `UPDATE app.client_credential SET created_at = created_at - $1 * interval '1 second',
            switched_on_at = switched_on_at - $1 * interval '1 second'`,
    [secondsAgo],
  );
  for (const secret of directory.client.live)
    for (const name of ["createdAt", "lastUsedAt"] as const)
      if (secret[name]) secret[name] = new Date(secret[name].getTime() - secondsAgo * 1000);
}

const live = () => directory.client.live.length;
const ended = () => database.prisma.clientCredential.count({ where: { endedAt: { not: null }, secret: null } });

test("an old secret that is unused for a minute is ended at the directory and deleted", async () => {
  await rotated(61);
  const keep = newKeeper();
  await keep();
  expect([live(), await ended()]).toEqual([1, 1]);
  const asked = directory.requests.length;
  await keep();
  expect(directory.requests.length, "calls when there is nothing to do").toBe(asked);
});

test("W09: an old secret with a fixed end keeps it, used or not", async () => {
  await rotated(61, { endsEarly: false });
  await newKeeper()();
  expect([live(), await ended()]).toEqual([2, 0]);
});

test("an old secret is not ended in its first minute", async () => {
  await rotated(55);
  await newKeeper()();
  expect([live(), await ended()]).toEqual([2, 0]);
});

test("an old secret that was used after the switch works until its end, and is then deleted", async () => {
  await rotated(61);
  takes(directory.client, directory.client.id, directory.client.secret);
  const keep = newKeeper();
  await keep();
  await keep();
  expect([live(), await ended()]).toEqual([2, 0]);
  expect(directory.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
  await database.pool.query(
    "UPDATE app.client_credential SET expires_at = now() - interval '1 second' WHERE expires_at IS NOT NULL",
  );
  await keep();
  expect([live(), await ended()]).toEqual([2, 1]);
});

test("a call in flight at the switch does not count as a use after it", async () => {
  await rotated(50);
  takes(directory.client, directory.client.id, directory.client.secret);
  const [, old] = directory.client.live;
  if (old?.lastUsedAt) old.lastUsedAt = new Date(old.lastUsedAt.getTime() - 40_000);
  await database.pool.query(
    "UPDATE app.client_credential SET switched_on_at = switched_on_at - interval '11 seconds', created_at = created_at - interval '11 seconds'",
  );
  await newKeeper()();
  expect([live(), await ended()]).toEqual([1, 1]);
});

test("an old secret is ended only once the directory answers again", async () => {
  await rotated(61);
  directory.behave("/oauth2/client_secret", answers(503, "{}"));
  const keep = newKeeper();
  await expect(keep()).rejects.toMatchObject({ kind: "unreachable" });
  expect([live(), await ended()]).toEqual([2, 0]);
  directory.reset();
  await keep();
  expect([live(), await ended()]).toEqual([1, 1]);
});

test("the secret of the settings is ended like any other after a rotation", async () => {
  await rotated(61);
  const [row] = await database.prisma.clientCredential.findMany({ where: { origin: "setup" } });
  expect(row).toMatchObject({ secret: null, endedAt: null });
  await newKeeper()();
  expect(directory.client.live[0]?.secret).not.toBe(directory.client.secret);
  expect([live(), await ended()]).toEqual([1, 1]);
});

test("after a rotation on the command line the old secret keeps its end", async () => {
  const credentials = { clientId: directory.client.id, clientSecret: addSecret(directory.client) };
  const replaced = { id: undefined, overlapSeconds: 3600 };
  await storeCredentials(web, config.api.url, credentials, { origin: "command", replaced });
  await database.pool.query("UPDATE app.client_credential SET switched_on_at = switched_on_at - interval '2 minutes'");
  await newKeeper()();
  expect([directory.requests.filter(({ path }) => path === "/oauth2/client_secret"), await ended()]).toEqual([[], 0]);
});

test("a second rotation ends the oldest secret at once and gives the previous one an end", async () => {
  await rotated(1);
  await rotated(0);
  const rows = await database.prisma.clientCredential.findMany({
    orderBy: [{ createdAt: "asc" }, { switchedOnAt: "asc" }],
  });
  expect(rows.map(({ endedAt, expiresAt }) => [endedAt !== null, expiresAt !== null])).toEqual([
    [true, true],
    [false, true],
    [false, false],
  ]);
});

test("the use of the secret in use is noted, at most once a minute", async () => {
  await rotated(1);
  const usedAt = async () =>
    (await database.prisma.clientCredential.findFirstOrThrow({ where: { origin: "rotated" } })).lastUsedAt;
  await currentCredentials(web);
  await expect.poll(usedAt).not.toBeNull();
  const first = await usedAt();
  await currentCredentials(web);
  await currentCredentials(web);
  expect(await usedAt()).toEqual(first);
});
