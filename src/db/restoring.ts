import { randomUUID } from "node:crypto";
import type pg from "pg";
import { apply } from "./apply-migration.ts";
import { HISTORY, RESTORING } from "./migrate.ts";
import { FOLDER, readMigration } from "./migration-files.ts";

/** Keeps programs from starting on the database, this and older releases, until the history is replaced. */
export async function markRestoring(client: pg.Client): Promise<void> {
  await client.query("BEGIN");
  await client.query(HISTORY);
  const text = "INSERT INTO public._prisma_migrations (id, checksum, migration_name) VALUES ($1, '', $2)";
  await client.query(text, [randomUUID(), RESTORING]);
  await client.query("COMMIT");
}

/** Removes what an interrupted restore has left, if there was one. */
export async function clearInterrupted(client: pg.Client): Promise<void> {
  const { rows } = await client.query("SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS made");
  if (!rows[0].made) return;
  const text = "SELECT FROM public._prisma_migrations WHERE migration_name = $1";
  const { rowCount } = await client.query(text, [RESTORING]);
  if (!rowCount) return;
  // In this order: a database without the mark is empty.
  await client.query("DROP SCHEMA IF EXISTS app, directory, pgboss CASCADE");
  await client.query("DROP TABLE public._prisma_migrations");
}

/** Applies these migrations to an empty database. */
export async function buildSchema(client: pg.Client, names: readonly string[]): Promise<void> {
  for (const name of names) await apply(client, name, await readMigration(FOLDER, name));
}
