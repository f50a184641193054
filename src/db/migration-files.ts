import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

export const FOLDER = path.join(import.meta.dirname, "../../prisma/migrations");

export interface Migration {
  sql: string;
  checksum: string;
  /** Whether it builds and drops indexes while servers run, instead of before they start (background.ts). */
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
