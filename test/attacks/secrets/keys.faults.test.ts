import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../src/db/database.ts";
import { randomToken } from "../../../src/shared/crypto.ts";
import { testDatabase } from "../../support/database/database.ts";
import { snapshot } from "../../support/database/snapshot.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { restartable } from "../../support/outages/restartable.ts";

const [k1, k2, other] = [randomToken(), randomToken(), randomToken()];

/** Creates a user with a connection on a database with the keys k1, with no server running. */
async function lived() {
  const { url, database } = await testDatabase({ template: "sample" });
  const samespot = await restartable({ url });
  const running = await samespot.start({ ENCRYPTION_KEYS: k1 });
  const demo = { handle: "demo", password: running.demo?.password ?? "" };
  const browser = samespot.newBrowser();
  await samespot.logIn(browser, demo);
  const seesCheckins = async () => {
    const { status, body } = await browser.get("/checkins");
    return status === 200 && !body.includes("Connect again");
  };
  expect(await seesCheckins()).toBe(true);
  await running.close();
  return { url, database, samespot, demo, seesCheckins };
}

let unchanged: ReturnType<typeof lived> | undefined;
/** The same for tests that leave its database and its user as they found them. */
const livedOnce = () => (unchanged ??= lived());

const ASIDE = [
  "venue",
  "checkin",
  "place",
  "category",
  "session",
  "instance",
  "rate_count",
  "login_attempt",
  "idempotency_key",
];
const stored = async (pool: pg.Pool) => [await snapshot(pool, "app", ASIDE), await snapshot(pool, "directory", ASIDE)];

it("S07: the start is refused with different keys, says what to do, and changes nothing", async () => {
  const { database, samespot, seesCheckins } = await livedOnce();
  const before = await stored(database.pool);
  for (const env of [
    { ENCRYPTION_KEYS: other },
    { ENCRYPTION_KEYS: `${other},${k2}` },
    { ENCRYPTION_KEYS: other, ROLES: "app" },
    { ENCRYPTION_KEYS: other, ROLES: "worker" },
    { ENCRYPTION_KEYS: other, ROLES: "directory" },
    { ENCRYPTION_KEYS: other, ROLES: "directory", CLIENT_ID: "theirs", CLIENT_SECRET: "theirs" },
    {},
  ]) {
    const refusal = samespot.start(env);
    await expect(refusal, JSON.stringify(Object.keys(env))).rejects.toThrow(
      /^ENCRYPTION_KEYS is missing a key that is in use: [0-9a-f]{8} \(values encrypted with it in the (app|directory): [12]\).*\. Nothing was changed\. .*DATA_DIR\/secrets\.json.*samespot keys forget [0-9a-f]{8}/,
    );
    expect(await stored(database.pool)).toEqual(before);
  }
  const running = await samespot.start({ ENCRYPTION_KEYS: k1 });
  onTestFinished(running.close);
  expect(await seesCheckins()).toBe(true);
});

it("S07: one of two servers that start at once on an empty database with different keys is refused", async () => {
  const { url, database } = await testDatabase();
  await database.pool.query(`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN PERFORM pg_sleep(0.6); RETURN NEW; END $$;
    CREATE TRIGGER slow BEFORE INSERT ON app.vault_key FOR EACH ROW EXECUTE FUNCTION slow()`);
  const [one, two] = [await restartable({ url }), await restartable({ url })];
  const starts = await Promise.allSettled([
    one.start({ ENCRYPTION_KEYS: k1, SAMPLE_DATA: "off", ROLES: "app" }),
    two.start({ ENCRYPTION_KEYS: k2, SAMPLE_DATA: "off", ROLES: "app" }),
  ]);
  for (const each of starts) if (each.status === "fulfilled") onTestFinished(each.value.close);
  expect(starts.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect((await database.pool.query("SELECT FROM app.vault_key")).rowCount).toBe(1);
});

it("S07: a server without the newest key is not ready, and overwrites nothing it cannot open", async () => {
  const { url, database, samespot, demo } = await lived();
  const behind = await samespot.start({ ENCRYPTION_KEYS: k1 });
  onTestFinished(behind.close);
  expect(await samespot.ready()).toEqual(Array(3).fill({ status: "ready", problems: [] }));
  const ahead = await restartable(
    { url },
    { SESSION_SECRETS: samespot.settings.SESSION_SECRETS, BASE_URL: samespot.BASE_URL, ROLES: "app" },
  );
  const newer = await ahead.start({ ENCRYPTION_KEYS: `${k2},${k1}` });
  onTestFinished(newer.close);
  const problems = ["a key in use is not in ENCRYPTION_KEYS"];
  const [app, auth, api] = await samespot.ready();
  expect([app, auth, api]).toEqual([
    { status: "not ready", problems },
    ...Array(2).fill({ status: "ready", problems: [] }),
  ]);

  // The directory uses the new key too: a token is encrypted with it.
  await database.pool.query("INSERT INTO directory.vault_key (id) VALUES ($1)", [Buffer.from("0badc0de", "hex")]);
  await database.pool.query(
    "UPDATE directory.authorization SET token_sealed = overlay(token_sealed PLACING $1 FROM 1 FOR 4)",
    [Buffer.from("0badc0de", "hex")],
  );
  const before = await snapshot(
    database.pool,
    "directory",
    ASIDE.concat("authorization_code", "authorization_request", "application_secret"),
  );
  expect((await samespot.ready()).map(({ status }) => status)).toEqual(Array(3).fill("not ready"));
  const page = await samespot.logIn(createHttpClient(samespot.APP_URL), demo);
  expect([page.status, page.body.includes("does not answer")]).toEqual([503, true]);
  expect(
    await snapshot(
      database.pool,
      "directory",
      ASIDE.concat("authorization_code", "authorization_request", "application_secret"),
    ),
  ).toEqual(before);
});

it("S10: a copy of the database is usable with the keys and unreadable without them", async () => {
  const { url, database, samespot, demo, seesCheckins } = await lived();
  const copy = await copyOf(url, database);
  const again = (env: Record<string, string>) => samespot.start({ DATABASE_URL: copy, ...env });
  for (const env of [{ ENCRYPTION_KEYS: other }, {}])
    await expect(again(env)).rejects.toThrow("ENCRYPTION_KEYS is missing a key");

  let running = await again({ ENCRYPTION_KEYS: k1 });
  onTestFinished(() => running.close());
  expect(await seesCheckins()).toBe(true); // the session and the stored token
  expect((await samespot.logIn(samespot.newBrowser(), demo)).body).toContain("Log out");
  await running.close();

  // With forced other keys, nothing can be decrypted or sent.
  const pool = openDatabase(copy);
  for (const schema of ["app", "directory"]) await pool.pool.query(`TRUNCATE ${schema}.vault_key`);
  await pool.close();
  running = await again({ ENCRYPTION_KEYS: other });
  expect(await seesCheckins()).toBe(false);
});

it("an older session secret is accepted beside the newest until it is removed", async () => {
  const { samespot, seesCheckins } = await livedOnce();
  const { SESSION_SECRETS: first = "" } = samespot.settings;
  const second = randomToken();
  for (const [SESSION_SECRETS, isKnown] of [
    [`${first},${second}`, true],
    [`${second},${first}`, true],
    [second, false],
  ] as const) {
    const running = await samespot.start({ ENCRYPTION_KEYS: k1, SESSION_SECRETS });
    onTestFinished(running.close);
    expect([SESSION_SECRETS === second, await seesCheckins()]).toEqual([!isKnown, isKnown]);
    await running.close();
  }
});

// Like pg_dump and pg_restore.
async function copyOf(url: string, database: { close(): Promise<void> }): Promise<string> {
  await database.close(); // a database in use cannot be copied
  const name = new URL(url).pathname.slice(1);
  const target = new URL(url);
  target.pathname = `${name}_copy`;
  const server = new URL(url);
  server.pathname = "postgres";
  const client = new pg.Client(server.href);
  await client.connect();
  await client.query(`CREATE DATABASE "${name}_copy" TEMPLATE "${name}"`).finally(() => client.end());
  return target.href;
}
