import { randomUUID } from "node:crypto";
import type pg from "pg";
import { HISTORY, RESTORING } from "./migrate.ts";
import { apply, FOLDER, readMigration } from "./migration-files.ts";
import { execute, queryRow } from "./sql.ts";

/** Keeps programs from starting on the database, this and older releases, until the history is replaced. */
export async function markRestoring(client: pg.Client): Promise<void> {
  await client.query("BEGIN");
  await client.query(HISTORY);
  await execute(client)`
    INSERT INTO public._prisma_migrations (id, checksum, migration_name) VALUES (${randomUUID()}, '', ${RESTORING})`;
  await client.query("COMMIT");
}

/** Removes what an interrupted restore has left, if there was one. */
export async function clearInterrupted(client: pg.Client): Promise<void> {
  const history = await queryRow<{ isMade: boolean }>(client)`
    SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS "isMade"`;
  if (!history?.isMade) return;
  const marks = await execute(client)`
    SELECT FROM public._prisma_migrations WHERE migration_name = ${RESTORING}`;
  if (marks === 0) return;
  // In this order: a database without the mark is empty.
  await client.query("DROP SCHEMA IF EXISTS app, directory, pgboss CASCADE");
  await client.query("DROP TABLE public._prisma_migrations");
}

/** Applies these migrations to an empty database. */
export async function buildSchema(client: pg.Client, names: readonly string[]): Promise<void> {
  for (const name of names) await apply(client, name, await readMigration(FOLDER, name));
}
