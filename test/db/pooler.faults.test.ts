import { spawnSync } from "node:child_process";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { type Address, connectBare } from "../../src/db/connections.ts";
import { openDatabase } from "../../src/db/database.ts";
import { separatePrograms } from "../../src/db/roles.ts";
import { throughPooler } from "../../src/db/through-pooler.ts";
import { isUnavailable } from "../../src/db/unavailable.ts";
import { askForSearch, searchWhenDue } from "../../src/directory/duplicates/chore.ts";
import { lastRun } from "../../src/directory/duplicates/queue.ts";
import { createLogger } from "../../src/http/logger.ts";
import { startSamespot } from "../../src/main.ts";
import { runCommand } from "../../src/start/run-command.ts";
import { testDatabase } from "../support/database/database.ts";
import { hasPgBouncer, PGBOUNCER, startPgBouncer } from "../support/database/pgbouncer.ts";
import { restartable } from "../support/outages/restartable.ts";
import { PRODUCTION } from "../support/production.ts";
import { dataFolder, freeAddresses } from "../support/samespot.ts";

const LOCKED = `SELECT FROM pg_locks WHERE locktype = 'advisory'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const DENIED = { code: "42501" };

describe.skipIf(!hasPgBouncer)("F35: behind PgBouncer in transaction mode", async () => {
  const { url } = await testDatabase();
  const pooler = await startPgBouncer(url);
  const urls = await separatePrograms(url);
  const said: string[] = [];
  const addresses = await throughPooler(pooler.url, urls, (message) => said.push(message));
  const app = open(addresses.app);

  it("F35: every statement has the limits and the role of a direct connection, and leaves nothing behind", async () => {
    const text = `SELECT current_user AS role, current_setting('statement_timeout') AS statement,
      current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('plan_cache_mode') AS plans`;
    const limits = { role: urls.roles?.app, statement: "1260ms", idle: "5s" };
    const together = async () => {
      const client = await app.pool.connect();
      await client.query("BEGIN");
      const { rows } = await client.query(text).finally(() => client.query("COMMIT"));
      client.release();
      return rows;
    };
    expect((await app.pool.query(text)).rows).toEqual([{ ...limits, plans: "force_generic_plan" }]);
    expect(await together()).toEqual([{ ...limits, plans: "force_generic_plan" }]);
    expect(await app.prisma.$queryRawUnsafe(text)).toEqual([{ ...limits, plans: "auto" }]);
    expect(await app.prisma.$transaction((tx) => tx.$queryRawUnsafe(text))).toEqual([{ ...limits, plans: "auto" }]);
    const raw = await connectBare({ connectionString: pooler.url });
    const left = await Promise.all(Array.from({ length: 10 }, () => raw.query(text))).finally(() => raw.end());
    for (const { rows } of left)
      expect(rows).toEqual([{ role: new URL(url).username, statement: "0", idle: "0", plans: "auto" }]);
  });

  it("F35: the web app may not read the directory's tables, in SQL or Prisma, alone or in a transaction", async () => {
    await expect(app.pool.query("SELECT FROM directory.venue")).rejects.toMatchObject(DENIED);
    await expect(app.prisma.$queryRaw`SELECT FROM directory.venue`).rejects.toThrow(/42501/);
    await expect(app.prisma.$transaction((tx) => tx.user.count())).rejects.toMatchObject({
      meta: { driverAdapterError: { cause: { originalCode: "42501" } } },
    });
  });

  it("F35: named statements of many callers at once work, with and without a pooler that keeps them", async () => {
    const ask = (index: number) =>
      app.pool.query({ name: `ask-${index % 7}`, text: `SELECT $1::int + ${index % 7} AS sum`, values: [index] });
    const all = await Promise.all(Array.from({ length: 200 }, (_, index) => ask(index)));
    expect(all.map(({ rows }) => rows[0].sum)).toEqual(all.map((_, index) => index + (index % 7)));
    const { stdout } = spawnSync(PGBOUNCER, ["--version"], { encoding: "utf8" });
    const [, minor] = /PgBouncer 1\.(\d+)/.exec(stdout) ?? [];
    expect(addresses.app).toMatchObject({ keepsNames: Number(minor) >= 21 });
  });

  it("F35: a statement that fails reports its own error, and the next one works", async () => {
    await expect(app.pool.query("SELECT 1 / $1::int", [0])).rejects.toMatchObject({ code: "22012" });
    await expect(app.pool.query("SELECT nothing")).rejects.toMatchObject({ code: "42703" });
    expect((await app.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    const gone = open({ ...(addresses.app as object), role: "nobody_has_it" } as Address);
    await expect(gone.pool.query("SELECT 1")).rejects.toThrow('role "nobody_has_it" does not exist');
  });

  it("F35: the server cancels a slow statement before the caller gives up", async () => {
    const error = await app.pool.query("SELECT pg_sleep(20) AS slow").catch((each: unknown) => each);
    expect(error).toMatchObject({ code: "57014" });
    expect(isUnavailable(error)).toBe(true);
    await expect(app.prisma.$queryRaw`SELECT 1 FROM pg_sleep(20) AS slow`).rejects.toThrow(/57014/);
  });

  it("F35: a connection that is released within a transaction loses it", async () => {
    const client = await app.pool.connect();
    await client.query("BEGIN");
    await client.query("CREATE TEMP TABLE mine ON COMMIT DROP AS SELECT 1");
    client.release();
    await expect(app.pool.query("TABLE mine")).rejects.toMatchObject({ code: "42P01" });
  });

  it("F35: processes that start together migrate and set up in turn, and stop", async () => {
    const site = await restartable({ url }, { DATABASE_URL: pooler.url, DIRECT_DATABASE_URL: url, SAMPLE_DATA: "off" });
    const worker = { ROLES: "worker", ...(await freeAddresses()) };
    for (const _ of [1, 2]) {
      const all = await Promise.all([site.start(), site.start(worker), site.start(worker)]);
      expect(await site.ready()).toEqual(Array(3).fill({ status: "ready", problems: [] }));
      await Promise.all(all.map((each) => each.close()));
    }
    await expect.poll(async () => (await app.pool.query(LOCKED)).rows).toEqual([]); // the pooler rolls back what was cut off
    expect(said).toEqual([]);
  });

  it("F35: the search for duplicates runs as often as it is asked for, and nothing stays locked", async () => {
    const { pool } = open(addresses.directory);
    for (const _ of [1, 2, 3]) {
      await askForSearch(pool);
      await searchWhenDue(pool, new AbortController().signal);
      expect((await lastRun(pool))?.finishedAt).toBeInstanceOf(Date);
      await expect.poll(async () => (await app.pool.query(LOCKED)).rows).toEqual([]);
    }
  });

  it("F35: the start without DIRECT_DATABASE_URL is refused and says what to set, and nothing stays locked", async () => {
    expect(await refusal({ DATABASE_URL: pooler.url })).toMatch(/leads to a pooler .*Set DIRECT_DATABASE_URL/);
    expect((await app.pool.query(LOCKED)).rows).toEqual([]);
  });

  it("F35: the start is refused if the two addresses lead to different databases", async () => {
    const other = await testDatabase();
    const env = { DATABASE_URL: pooler.url, DIRECT_DATABASE_URL: other.url };
    expect(await refusal(env)).toMatch(/lead to different databases/);
  });

  it("F35: a pooler's user who may not take the programs' roles works with one role, which is said", async () => {
    const login = `${urls.roles?.app}_login`;
    const owner = new pg.Client(url);
    await owner.connect();
    await owner.query(`CREATE ROLE "${login}" LOGIN PASSWORD 'x'`);
    const stranger = new URL(url);
    [stranger.username, stranger.password] = [login, "x"];
    const theirs = await startPgBouncer(stranger.href);
    const heard: string[] = [];
    const { app } = await throughPooler(theirs.url, urls, (message) => heard.push(message));
    expect(app).toMatchObject({ role: undefined });
    expect(heard[0]).toContain(`cannot take the role ${urls.roles?.app}`);
    await theirs.close();
    await owner.query(`DROP ROLE "${login}"`);
    await owner.end();
  });
});

function open(address: Address) {
  const database = openDatabase(address);
  afterAll(database.close);
  return database;
}

async function refusal(env: Record<string, string>): Promise<string> {
  const messages: string[] = [];
  const before = process.exitCode;
  const config = readConfig({
    ...PRODUCTION,
    ...env,
    ...(await freeAddresses()),
    DATA_DIR: dataFolder(),
    SAMPLE_DATA: "off",
  });
  await runCommand(
    async () => void (await startSamespot(config, createLogger({ level: "silent" }))),
    (message) => messages.push(message),
  );
  process.exitCode = before;
  return messages.join("\n");
}
