import type pg from "pg";
import { clearInterrupted } from "../db/restoring.ts";
import { refusal } from "./header.ts";

/** Throws a KnownError if the database has tables, except those of an interrupted restore, which it removes. */
export async function requireEmpty(client: pg.Client): Promise<void> {
  await clearInterrupted(client);
  const { rows } = await client.query<{ name: string }>(
    `SELECT n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = c.oid AND deptype = 'e') -- of an extension
      ORDER BY 1 LIMIT 1`,
  );
  const [table] = rows;
  if (!table) return;
  throw refusal(
    `The database is not empty (it has ${table.name}), and a restore replaces nothing. Set DATABASE_URL to a new database, ` +
      "or for the embedded one DATA_DIR to a new folder.",
  );
}
