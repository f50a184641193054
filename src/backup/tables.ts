import type pg from "pg";
import { type End, nameOf, type Table } from "./records.ts";

/**
 * Tables that a backup leaves out. Sessions that ended since, and codes that were used since, must not live again; people log
 * in again. The queue (schema `pgboss`) is left out too: it only says that there is something to do, and workers queue missing
 * tasks by the rows of the runs (src/harmonize/supervise.ts). So are unlogged tables, and views, which are filled anew.
 */
export const LEFT_OUT: readonly string[] = [
  "app.session",
  "app.login_attempt",
  "app.instance",
  "directory.session",
  "directory.authorization_request",
  "directory.authorization_code",
];

/** The tables of a backup with their columns, except generated ones. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT n.nspname AS schema, c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relkind = 'r' AND c.relpersistence = 'p' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        AND (n.nspname IN ('app', 'directory') OR c.oid = to_regclass('public._prisma_migrations'))
      GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  return rows.filter((table) => !LEFT_OUT.includes(nameOf(table)));
}

export async function listSequences(client: pg.Client): Promise<End["sequences"]> {
  const { rows } = await client.query<End["sequences"][number]>(
    `SELECT schemaname AS schema, sequencename AS name, last_value::text AS last FROM pg_sequences
      WHERE schemaname IN ('app', 'directory') ORDER BY 1, 2`,
  );
  return rows;
}

export const quoted = (client: pg.Client, { schema, name }: { schema: string; name: string }): string =>
  `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;
