import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { isGone, isUnavailable, patiently } from "../../src/db/unavailable.ts";
import { testDatabase } from "../support/database/database.ts";
import { startDatabaseProxy } from "../support/outages/database-proxy.ts";

const { url, database: direct } = await testDatabase();
const proxy = await startDatabaseProxy(url);
afterAll(proxy.close);

let database: Database;
let logged: string[];

beforeEach(() => {
  logged = [];
  database = openDatabase(proxy.url, { log: (message) => logged.push(message) });
});

afterEach(async () => {
  proxy.thaw();
  await database.close();
});

const ways: Record<string, (database: Database) => Promise<unknown>> = {
  pool: ({ pool }) => pool.query("SELECT 1"),
  prisma: ({ prisma }) => prisma.account.count(),
  "raw prisma": ({ prisma }) => prisma.$queryRaw`SELECT 1`,
  transaction: ({ prisma }) => prisma.$transaction((tx) => tx.account.count()),
};

test("F04: a frozen server causes an error within 2 s on open and new connections, whichever way it is asked, and recovers", async () => {
  const each = Object.values(ways).map((ask) => {
    const [used, fresh] = [openDatabase(proxy.url), openDatabase(proxy.url)];
    onTestFinished(() => Promise.all([used.close(), fresh.close()]).then(() => {}));
    return { ask, used, fresh };
  });
  for (const { ask, used, fresh } of each) {
    await patiently(() => ask(used)); // a busy machine connects slowly
    await fresh.prisma.$connect(); // loads Prisma, opens no connection
  }
  proxy.freeze();
  const asked = each.flatMap(({ ask, used, fresh }) => [used, fresh].map((one) => () => ask(one)));
  await Promise.all(asked.map((work) => expectUnavailable(work, 2000)));
  proxy.thaw();
  for (const work of asked) await patiently(work);
});

for (const [name, ask] of Object.entries(ways)) {
  test(`F04: ${name}: a connection that breaks during a query causes an error, and the next query works`, async () => {
    await ask(database);
    proxy.freeze();
    const asked = expectUnavailable(() => ask(database), 1000);
    await sleep(100);
    proxy.cut();
    await asked;
    await ask(database);
  });

  test(`${name}: a closed port causes an error at once`, async () => {
    const nowhere = openDatabase("postgresql://user@127.0.0.1:1/none");
    await expectUnavailable(() => ask(nowhere), 500);
    await nowhere.close();
  });
}

test("F04: a connection that breaks while idle is logged and replaced, and the process survives", async () => {
  await database.pool.query("SELECT 1");
  await database.prisma.account.count();
  proxy.cut();
  while (logged.length < 2) await sleep(10);
  expect(logged[0]).toMatch(/^A database connection was lost: /);
  await database.pool.query("SELECT 1");
  expect(await database.prisma.account.count()).toBe(0);
});

test("F13: the pool and Prisma both give up in time when no connection is free", async () => {
  const held = await Promise.all([1, 2, 3, 4].map(() => database.pool.connect()));
  const transactions = Array.from({ length: 10 }, () => database.prisma.$transaction(() => sleep(2500)));
  await sleep(100);
  await Promise.all(Object.values(ways).map((ask) => expectUnavailable(() => ask(database), 1700)));
  for (const client of held) client.release();
  await Promise.all(transactions);
});

test("the server cancels a slow statement too", async () => {
  await Promise.all([
    expectUnavailable(() => database.pool.query("SELECT pg_sleep(20) AS slow"), 2000),
    expectUnavailable(() => database.prisma.$queryRaw`SELECT 1 FROM pg_sleep(20) AS slow`, 2000),
  ]);
  const { rows } = await direct.pool.query(
    "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%AS slow'",
  );
  expect(rows).toEqual([]);
});

test("a job can have a longer timeout", async () => {
  const patient = openDatabase(url, { patience: 10_000 });
  await patient.pool.query("SELECT pg_sleep(2)");
  await patient.close();
});

test("closing the database ends soon despite a connection in use", async () => {
  const other = openDatabase(proxy.url);
  const held = await other.pool.connect();
  expect(await Promise.race([other.close(), sleep(3500, LATE)])).not.toBe(LATE);
  held.release();
});

test("F42: the first write on a connection to a Citus node that was started again is an outage", async () => {
  const lost =
    "DO $$ BEGIN RAISE 'failure on connection marked as essential: db1:5432' USING ERRCODE = 'XX000'; END $$";
  await expectUnavailable(() => database.pool.query(lost), 1000);
  await expectUnavailable(() => database.prisma.$executeRawUnsafe(lost), 1000);
});

test("a deadlock counts as unavailable, but only for the statement that it ended", async () => {
  const lock = (key: number) => `SELECT 1 FROM pg_advisory_xact_lock(${key})`;
  type Run = (sql: string) => Promise<unknown>;
  const inPool = async (work: (run: Run) => Promise<unknown>) => {
    const client = await database.pool.connect();
    try {
      await client.query("BEGIN");
      await work((sql) => client.query(sql));
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
  };
  const inPrisma = (work: (run: Run) => Promise<unknown>) =>
    database.prisma.$transaction((tx) => work((sql) => tx.$queryRawUnsafe(sql)));
  for (const transaction of [inPool, inPrisma]) {
    const both = Promise.withResolvers<void>();
    let ready = 0;
    const crossing = (first: number, second: number) =>
      transaction(async (run) => {
        await run(lock(first));
        ready += 1;
        if (ready === 2) both.resolve();
        await both.promise;
        await run(lock(second));
      });
    const ends = await Promise.allSettled([crossing(71, 72), crossing(72, 71)]);
    const errors = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
    expect(errors.map((error) => [isUnavailable(error), isGone(error)])).toEqual([[true, false]]);
  }
});

test("an error of the program is not classified as an outage", async () => {
  const account = { directory: "https://directory.example", externalId: "1" };
  const faults: (() => Promise<unknown>)[] = [
    () => database.prisma.account.createMany({ data: [account, account] }),
    () => database.prisma.account.findUniqueOrThrow({ where: { id: crypto.randomUUID() } }),
    () => database.prisma.$queryRaw`SELECT nothing`,
    () => database.pool.query("SELECT nothing"),
    () => Promise.reject(new TypeError("fetch failed")),
  ];
  for (const fault of faults) expect(isUnavailable(await errorOf(fault))).toBe(false);
});

test("the pool plans each named statement once", async () => {
  const { rows } = await database.pool.query("SHOW plan_cache_mode");
  expect(rows).toEqual([{ plan_cache_mode: "force_generic_plan" }]);
});

/** That the work fails before a timer of the same process, which a busy machine delays like those of the pools. */
async function expectUnavailable(work: () => Promise<unknown>, milliseconds: number): Promise<void> {
  const error = await Promise.race([errorOf(work), sleep(milliseconds, LATE)]);
  expect({ error: String(error), unavailable: isUnavailable(error) }).toMatchObject({ unavailable: true });
}

const LATE = "it takes longer";

const errorOf = (work: () => Promise<unknown>) =>
  work().then(
    () => undefined,
    (error: unknown) => error,
  );
