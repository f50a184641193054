import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { connect } from "../../src/db/connections.ts";
import { finishInBackground, finishMigrations, migrate } from "../../src/db/migrate.ts";
import { type TestDatabase, testDatabase } from "../support/database/database.ts";

const BACKGROUND = `-- In the background: the index of names.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "town_name" ON "public"."town" ("name");
DROP INDEX CONCURRENTLY IF EXISTS "public"."town_old";`;

let db: TestDatabase;
let folder: string;
let logged: string[];
const log = (message: string) => void logged.push(message);
const finish = () => finishMigrations(db.url, { folder, log, turnMs: 20, progressMs: 20 });

beforeEach(async () => {
  db = await testDatabase({ template: "none" });
  folder = mkdtempSync(path.join(inject("run").folder, "background-"));
  logged = [];
  write(
    "1_town",
    'CREATE TABLE town (name text); CREATE INDEX "town_old" ON town (name); INSERT INTO town VALUES (1);',
  );
  await migrate(db.url, { folder });
  write("2_index", BACKGROUND);
});

afterEach(async () => {
  await db.drop();
  rmSync(folder, { recursive: true });
});

test("F18: a migration for the background is left out of the start, and applied once afterwards", async () => {
  expect(await migrate(db.url, { folder })).toEqual([]);
  expect(await indexes()).toEqual([{ name: "town_old", valid: true }]);
  expect(await finish()).toEqual(["2_index"]);
  expect(await indexes()).toEqual([{ name: "town_name", valid: true }]);
  expect(await finish()).toEqual([]);
  expect(await migrate(db.url, { folder })).toEqual([]);
});

test("a new database gets its indexes at once", async () => {
  const fresh = await testDatabase({ template: "none" });
  expect(await migrate(fresh.url, { folder })).toEqual(["1_town", "2_index"]);
  await fresh.drop();
});

test("F18: an index whose build was interrupted is dropped and built again", async () => {
  const release = await holdTable();
  const building = finish();
  building.catch(() => {});
  await expect.poll(indexes).toContainEqual({ name: "town_name", valid: false });
  await db.database.pool.query("INSERT INTO town VALUES ('written meanwhile')");
  await expect.poll(() => logged.join()).toMatch(/Index town_name, after \d+ s: waiting for writers before build\./);
  await db.database.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'samespot indexes' AND datname = current_database()",
  );
  await expect(building).rejects.toThrow();
  await release();
  expect(await indexes()).toContainEqual({ name: "town_name", valid: false });
  expect(await finish()).toEqual(["2_index"]);
  expect(await indexes()).toEqual([{ name: "town_name", valid: true }]);
});

test("F18: one process builds an index, and another waits until it is done", async () => {
  const release = await holdTable();
  const first = finish();
  await expect.poll(indexes).toContainEqual({ name: "town_name", valid: false });
  const second = finish();
  await Promise.race([second, sleep(200)]);
  await release();
  expect(await Promise.all([first, second])).toEqual([["2_index"], []]);
});

test("a server that stops does not wait for a build, and the next one completes it", async () => {
  const release = await holdTable();
  const server = finishInBackground(db.url, { folder, log });
  await expect.poll(indexes).toContainEqual({ name: "town_name", valid: false });
  await server.stop();
  await release();
  await finish();
  expect(await indexes()).toEqual([{ name: "town_name", valid: true }]);
});

test("a server whose user owns no table says who builds the indexes", async () => {
  const role = `${inject("run").prefix}server`;
  await db.database.pool.query(
    `CREATE ROLE ${role} LOGIN PASSWORD 'server'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`,
  );
  const url = Object.assign(new URL(db.url), { username: role, password: "server" });
  const server = finishInBackground(url.href, { folder, log });
  await expect.poll(() => logged).toContainEqual(expect.stringContaining("run `samespot migrate` as the owner"));
  await server.stop();
});

function write(name: string, sql: string): void {
  mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, name, "migration.sql"), sql);
}

/** Begins a transaction that has written to the table, for which a build has to wait. */
async function holdTable(): Promise<() => Promise<void>> {
  const client = await connect({ connectionString: db.url });
  await client.query("BEGIN; INSERT INTO town VALUES ('held')");
  return async () => {
    await client.query("COMMIT");
    await client.end();
  };
}

async function indexes() {
  const { rows } = await db.database.pool.query(
    `SELECT relname AS name, indisvalid AS valid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE indrelid = 'town'::regclass ORDER BY relname`,
  );
  return rows;
}
