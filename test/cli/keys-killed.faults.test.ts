import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createVault, randomToken } from "../../src/shared/crypto.ts";
import { testDatabase } from "../support/database/database.ts";
import { fillSealedRows, openSealedRows } from "../support/database/sealed-rows.ts";
import { restartable } from "../support/outages/restartable.ts";
import { roundsOf } from "../support/rounds.ts";
import { runCommand, spawnCommand } from "./samespot-command.ts";

const KILLS = roundsOf(20, 2);
const ROWS = roundsOf(4000, 2000); // of each of three kinds
const [k1, k2] = [randomToken(), randomToken()];

const { url, database } = await testDatabase({ template: "sample" });
const { pool } = database;
const samespot = await restartable({ url });

const oldIds = ["app", "directory"].map((purpose) => createVault([k1], purpose).keyIds[0]);
/** Counts values encrypted with the old key. */
async function left(): Promise<number> {
  const { rows } = await pool.query(
    `SELECT count(*)::int AS count FROM (
       SELECT token AS sealed FROM app.connection UNION ALL SELECT secret FROM app.client_credential
       UNION ALL SELECT token_sealed FROM directory.authorization) AS value
      WHERE substring(sealed FROM 1 FOR 4) = ANY($1)`,
    [oldIds],
  );
  return rows[0].count;
}

const { DATABASE_URL, DATA_DIR, SESSION_SECRETS } = samespot.settings;
const rotation = [
  { DATABASE_URL, DATA_DIR, SESSION_SECRETS, ENCRYPTION_KEYS: `${k2},${k1}` },
  ["keys", "rotate", "--json"],
] satisfies Parameters<typeof runCommand>;

it(`S05: a key rotation killed ${KILLS} times completes while people log in`, {
  timeout: 200_000 + KILLS * 10_000, // each starts a process
}, async () => {
  const first = await samespot.start({ ENCRYPTION_KEYS: k1 });
  const demo = { handle: "demo", password: first.demo?.password ?? "" };
  const old = samespot.newBrowser();
  await samespot.logIn(old, demo);
  const seesCheckins = async () => (await old.get("/checkins")).body.includes("checkin");
  expect(await seesCheckins()).toBe(true);
  const plain = await fillSealedRows(pool, [k1], ROWS);
  await first.close();

  // docs/operations.md: first all processes get the new key as second, then as first.
  await (await samespot.start({ ENCRYPTION_KEYS: `${k1},${k2}` })).close();
  let running = await samespot.start({ ENCRYPTION_KEYS: `${k2},${k1}` });
  onTestFinished(() => running.close());
  for (const table of ["app.connection", "app.client_credential", "directory.authorization"])
    await pool.query(`CREATE FUNCTION ${table}_slow() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN PERFORM pg_sleep(0.03); RETURN NULL; END $$;
      CREATE TRIGGER slow AFTER UPDATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION ${table}_slow()`);

  const total = await left();
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const rotating = spawnCommand(...rotation);
    while ((await left()) > total * (1 - kill / (KILLS + 2))) await sleep(5);
    rotating.kill("SIGKILL");
    expect([kill, (await rotating.ended).code]).toEqual([kill, null]);
    expect(await openSealedRows(pool, [k2, k1])).toEqual(plain);
    expect(await seesCheckins()).toBe(true);
    if (kill % Math.ceil(KILLS / 4) === 0)
      expect((await samespot.logIn(samespot.newBrowser(), demo)).body).toContain("Log out");
  }
  expect(await left()).toBeGreaterThan(0);
  const { code, stdout } = await runCommand(...rotation);
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, unreadable: [], removable: [2], left_accounts: 0 });
  expect(await left()).toBe(0);
  expect(await openSealedRows(pool, [k2])).toEqual(plain);

  await running.close();
  running = await samespot.start({ ENCRYPTION_KEYS: k2 });
  expect(await samespot.ready()).toEqual(Array(3).fill({ status: "ready", problems: [] }));
  expect(await seesCheckins()).toBe(true);
  expect((await samespot.logIn(samespot.newBrowser(), demo)).body).toContain("Log out");
  await running.close();
  await expect(samespot.start({ ENCRYPTION_KEYS: k1 })).rejects.toThrow("ENCRYPTION_KEYS is missing a key");
});
