import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { migrate, pendingMigrations } from "../../src/db/migrate.ts";
import { type TestDatabase, testDatabase } from "../support/database/database.ts";

let db: TestDatabase;
let folder: string;
let logged: string[];
const log = (message: string) => logged.push(message);

beforeEach(async () => {
  db = await testDatabase({ template: "none" });
  folder = mkdtempSync(path.join(inject("run").folder, "migrations-"));
  logged = [];
});

afterEach(async () => {
  await db.drop();
  rmSync(folder, { recursive: true });
});

test("F18: two concurrent migrations apply each migration once", async () => {
  const applied = await Promise.all([migrate(db.url, { log }), migrate(db.url, { log })]);
  expect(applied.map((names) => names.length > 0).sort()).toEqual([false, true]);
  expect(await history()).toEqual(applied.flat());
  expect(logged).toContain("Another process is migrating the database; waiting for it.");
});

test("pending migrations are listed by name, and none after they are applied", async () => {
  const pending = await pendingMigrations(db.database.pool);
  expect(pending[0]).toMatch(/_init$/);
  const applied = await migrate(db.url); // in a new database with those of the background
  expect(applied).toEqual(expect.arrayContaining(pending));
  expect(await pendingMigrations(db.database.pool)).toEqual([]);
  expect(await migrate(db.url)).toEqual([]);
});

test("F18: the next start after a killed migration resumes it where it stopped", async () => {
  write("1_first", "CREATE TABLE first ();");
  write("2_second", "CREATE TABLE second (); SELECT pg_sleep(1.5); CREATE TABLE third ();");
  const source = path.join(import.meta.dirname, "../../src/db/migrate.ts");
  const program = `import { migrate } from ${JSON.stringify(source)}; await migrate(process.argv[1], { folder: process.argv[2] });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, db.url, folder], { stdio: "inherit" });
  while (!(await tables()).includes("first")) await sleep(50);
  await sleep(300);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await tables()).toEqual(["first"]);

  expect(await migrate(db.url, { folder, log })).toEqual(["2_second"]);
  expect(await tables()).toEqual(["first", "second", "third"]);
  expect(await history()).toEqual(["1_first", "2_second"]);
});

test("a failing migration is named and leaves nothing behind, and applies once repaired", async () => {
  write("1_first", "CREATE TABLE first (); SELECT * FROM nowhere;");
  await expect(migrate(db.url, { folder })).rejects.toThrow('1_first failed: relation "nowhere" does not exist');
  expect(await tables()).toEqual([]);
  write("1_first", "CREATE TABLE first ();");
  expect(await migrate(db.url, { folder })).toEqual(["1_first"]);
});

test("F18: a migration without a transaction keeps its committed stretches, and is repeated until it succeeds", async () => {
  write("1_first", "CREATE TABLE first (number int);");
  write(
    "2_stretches",
    `-- Without a transaction: commits each stretch on its own.
     DO $$ BEGIN
       INSERT INTO first SELECT count(*) FROM first;
       COMMIT;
       INSERT INTO first VALUES (1 / (SELECT count(*)::int - 1 FROM first));
     END $$;`,
  );
  await expect(migrate(db.url, { folder })).rejects.toThrow("2_stretches failed: division by zero");
  expect(await history()).toEqual(["1_first"]);
  expect(await migrate(db.url, { folder })).toEqual(["2_stretches"]);
  const { rows } = await db.database.pool.query("SELECT number FROM first ORDER BY ctid");
  expect(rows).toEqual([{ number: 0 }, { number: 1 }, { number: 1 }]);
});

test("F18: a migration that needs a locked table lets others at it every second, and waits until it is free", async () => {
  write("1_first", "CREATE TABLE first ();");
  await migrate(db.url, { folder });
  write("2_second", "ALTER TABLE first ADD COLUMN number int;");
  const { pool } = db.database;
  const reader = await pool.connect();
  await reader.query("BEGIN; SELECT FROM first");
  const migrating = migrate(db.url, { folder });
  await expect.poll(() => waiting()).toBe(1);
  await pool.query("SET statement_timeout = 0; SELECT FROM first"); // comes after the one that waits
  expect(await waiting()).toBe(0);
  await reader.query("COMMIT");
  reader.release();
  expect(await migrating).toEqual(["2_second"]);
});

test("a database newer than the program is refused", async () => {
  write("1_first", "CREATE TABLE first ();");
  write("2_future", "CREATE TABLE future ();");
  await migrate(db.url, { folder });
  rmSync(path.join(folder, "2_future"), { recursive: true });
  await expect(migrate(db.url, { folder })).rejects.toThrow("newer than this program: it has 2_future");
});

test("a migration edited after it was applied is reported", async () => {
  write("1_first", "CREATE TABLE first ();");
  await migrate(db.url, { folder, log });
  write("1_first", "CREATE TABLE first (); -- and more");
  expect(await migrate(db.url, { folder, log })).toEqual([]);
  expect(logged.at(-1)).toBe("Migration 1_first was edited after it was applied here.");
});

test("a history with a failed Prisma migration is refused", async () => {
  write("1_first", "CREATE TABLE first ();");
  await migrate(db.url, { folder });
  await db.database.pool.query("UPDATE _prisma_migrations SET finished_at = NULL");
  await expect(migrate(db.url, { folder })).rejects.toThrow("Migration 1_first failed when Prisma applied it");
});

test("a role without rights gets the statements an administrator has to run, and those suffice", async () => {
  const role = `${inject("run").prefix}guest`;
  const url = new URL(db.url);
  const name = url.pathname.slice(1);
  Object.assign(url, { username: role, password: "guest" });
  await db.database.pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'guest'`);
  try {
    const remedy = `ALTER DATABASE "${name}" OWNER TO "${role}";`;
    await expect(migrate(url.href)).rejects.toThrow(remedy);
    await db.database.pool.query(remedy);
    expect(await migrate(url.href)).not.toEqual([]);
  } finally {
    await db.drop();
    await dropRole(role);
  }
});

test("a PostgreSQL older than 15 is refused", async () => {
  // Simulates one: a function that shadows current_setting() returns an older version.
  await db.database.pool.query(
    `CREATE SCHEMA old; CREATE FUNCTION old.current_setting(text) RETURNS text LANGUAGE sql AS $$ SELECT '14.9' $$`,
  );
  const url = new URL(db.url);
  url.searchParams.set("options", "-c search_path=old,pg_catalog,public");
  await expect(migrate(url.href)).rejects.toThrow("The database is a PostgreSQL 14.9; Samespot needs 15 or newer.");
});

function write(name: string, sql: string): void {
  mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, name, "migration.sql"), sql);
}

async function waiting(): Promise<number> {
  const { rowCount } = await db.database.pool.query(
    "SELECT FROM pg_locks WHERE NOT granted AND relation = 'first'::regclass",
  );
  return Number(rowCount);
}

async function history(): Promise<string[]> {
  const { rows } = await db.database.pool.query(
    "SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY started_at",
  );
  return rows.map((row) => row.migration_name);
}

async function tables(): Promise<string[]> {
  const { rows } = await db.database.pool.query(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename !~ '^_' ORDER BY tablename",
  );
  return rows.map((row) => row.tablename);
}

async function dropRole(role: string): Promise<void> {
  const client = new pg.Client(inject("run").url);
  await client.connect();
  await client.query(`DROP ROLE ${role}`).finally(() => client.end());
}
