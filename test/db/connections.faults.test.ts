import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { connect, createPool } from "../../src/db/connections.ts";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { throughPooler } from "../../src/db/through-pooler.ts";
import { isUnavailable } from "../../src/db/unavailable.ts";
import { testDatabase } from "../support/database/database.ts";
import { collectEscaped } from "../support/escaped.ts";
import { startDatabaseProxy } from "../support/outages/database-proxy.ts";
import { ENDS, startEndingDatabase } from "../support/outages/ending-database.ts";

const { url, database: direct } = await testDatabase();
const way = await startEndingDatabase(url);
afterAll(way.close);
await direct.pool.query("CREATE TABLE note (text text)");

const INSERT = "INSERT INTO note VALUES ($1)";
const WAYS: Record<string, (database: Database, text: string) => Promise<unknown>> = {
  "a query of the pool": ({ pool }, text) => pool.query(INSERT, [text]),
  "a transaction on a connection of the pool": async ({ pool }, text) => {
    const client = await pool.connect();
    try {
      await client.query("BEGIN");
      await client.query(INSERT, [text]);
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  },
  "a query of Prisma": ({ prisma }, text) => prisma.$executeRawUnsafe(INSERT, text),
  "a transaction of Prisma": ({ prisma }, text) =>
    prisma.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(INSERT, text);
      await tx.account.count();
    }),
  "a batch of Prisma": ({ prisma }, text) =>
    prisma.$transaction([prisma.$executeRawUnsafe(INSERT, text), prisma.account.count()]),
};

describe.each(ENDS)("PostgreSQL ending a connection %s", (how) => {
  test.each(Object.entries(WAYS))(
    `F29: makes %s fail at each answer, while the process survives and the next call works`,
    async (name, write) => {
      const escaped = collectEscaped();
      for (let answer = 1; ; answer++) {
        const text = `${name} ${how} ${answer}`;
        const database = openDatabase(way.url);
        way.endAt(answer, how);
        // The second call reuses the connection of the first.
        const errors = [
          await errorOf(() => write(database, text)),
          await errorOf(() => write(database, `${text} 2nd`)),
        ];
        const isStruck = await way.hasEnded();
        expect(errors.filter((error) => error && !isUnavailable(error))).toEqual([]);
        for (const [index, each] of [text, `${text} 2nd`].entries())
          if (!errors[index]) expect([each, await count(each)]).toEqual([each, 1]);
        await write(database, `${text} afterwards`);
        expect(await count(`${text} afterwards`)).toBe(1);
        await database.close();
        if (!isStruck) break;
      }
      await after(20);
      expect(escaped).toEqual([]);
    },
  );
});

test("F29: a connection whose transaction could not be ended is not reused", async () => {
  const proxy = await startDatabaseProxy(url);
  const database = openDatabase(proxy.url);
  const stuck = database.prisma.$transaction(async (tx) => {
    await tx.$executeRawUnsafe(INSERT, "stuck");
    proxy.freeze();
    await tx.account.count();
  });
  expect(isUnavailable(await errorOf(() => stuck))).toBe(true);
  proxy.thaw();
  await database.prisma.$executeRawUnsafe(INSERT, "next");
  await database.close();
  proxy.close();
  expect([await count("stuck"), await count("next")]).toEqual([0, 1]);
});

test("F29: every pool and connection is created in src/db/connections.ts, and those that look for the primary in primary.ts", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const makes = (file: string) => /new (pg\.)?(Pool|Client)\(/.test(readFileSync(path.join("src", file), "utf8"));
  expect(sources.filter(makes).sort()).toEqual([path.join("db", "connections.ts"), path.join("db", "primary.ts")]);
});

test("F101: a pooler that stops answering at any moment of a start ends the start in time", async () => {
  const urls = {
    owner: url,
    app: url,
    directory: url,
    roles: { app: "none", directory: "none" },
    isDistributed: false,
  };
  for (let answers = 1, hangs = true; hangs; answers++) {
    const pooler = await startDatabaseProxy(url, { answers });
    const begun = performance.now();
    const error = await errorOf(() => throughPooler(pooler.url, urls, () => {}, 250));
    hangs = error !== undefined;
    expect([answers, hangs === isUnavailable(error)]).toEqual([answers, true]);
    expect(performance.now() - begun).toBeLessThan(5000);
    pooler.close();
  }
});

test("F101: every connection and pool has limits of connecting and answering, unless it says otherwise", async () => {
  const client = await connect({ connectionString: url });
  const pool = createPool("limits", url, {}, () => {});
  const pooled = await pool.connect();
  for (const each of [client, pooled])
    expect(each).toMatchObject({
      connectionParameters: { query_timeout: 60_000 },
      _connectionTimeoutMillis: 10_000,
      connection: { _keepAlive: true },
    });
  pooled.release();
  await Promise.all([client.end(), pool.end()]);
});

const count = async (text: string): Promise<number> =>
  (await direct.pool.query("SELECT count(*)::int AS n FROM note WHERE text = $1", [text])).rows[0].n;

const errorOf = (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => undefined,
    (error: unknown) => error ?? new Error("no error"),
  );
