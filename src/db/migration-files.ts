import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { execute } from "./sql.ts";
import { transactionOn } from "./transactions.ts";

export const FOLDER = path.join(import.meta.dirname, "../../prisma/migrations");

interface Migration {
  sql: string;
  checksum: string;
  /** Whether it builds and drops indexes while servers run, instead of before they start: finishMigrations(). */
  isBackground: boolean;
  /** Whether it is one statement that commits in stretches, because one transaction would lock too much. */
  isInStretches: boolean;
}

export async function readMigration(folder: string, name: string): Promise<Migration> {
  const sql = await readFile(path.join(folder, name, "migration.sql"), "utf8");
  return {
    sql,
    checksum: createHash("sha256").update(sql).digest("hex"),
    isBackground: sql.startsWith("-- In the background:"),
    isInStretches: sql.startsWith("-- Without a transaction:"),
  };
}

export async function migrationNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).sort();
}

/** Returns the statements of a background migration: none of them contains a semicolon (test/db/migrations). */
export function statementsOf(sql: string): string[] {
  const withoutComments = sql.replace(/^--.*$/gm, "");
  return withoutComments
    .split(";")
    .map((statement) => statement.trim())
    .filter(Boolean);
}

/** Milliseconds that a migration waits for a lock, because all that comes after it waits too. */
const LOCK_MS = 1000;
const LOCK_TRIES = 60;
export const LOCK_NOT_AVAILABLE = "55P03";

/** Applies a migration in one transaction, with its line in the history. Waits for locks a moment at a time. */
export async function apply(client: pg.Client, name: string, migration: Migration): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await applyOnce(client, name, migration);
    } catch (error) {
      const isLocked = (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
      if (!isLocked || tried === LOCK_TRIES) throw Object.assign(error as Error, { migration: name });
      await sleep(LOCK_MS);
    }
  }
}

async function applyOnce(client: pg.Client, name: string, migration: Migration): Promise<void> {
  if (migration.isInStretches) await client.query(migration.sql);
  await transactionOn(client, async () => {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    // A table that nobody uses yet needs no background.
    if (migration.isBackground) await client.query(migration.sql.replaceAll(" CONCURRENTLY", ""));
    else if (!migration.isInStretches) await client.query(migration.sql);
    await noteApplied(client, name, migration);
  });
}

export async function noteApplied(client: pg.Client, name: string, { checksum }: Migration): Promise<void> {
  await execute(client)`
    INSERT INTO public._prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
    VALUES (${randomUUID()}, ${checksum}, ${name}, now(), clock_timestamp(), 1)`;
}
