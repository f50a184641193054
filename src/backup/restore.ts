import type pg from "pg";
import { buildSchema, markRestoring } from "../db/restoring.ts";
import { type Backup, readBackup } from "./backup-file.ts";
import { requireEmpty } from "./empty.ts";
import { setAside } from "./indexes.ts";
import { load } from "./load.ts";
import type { End } from "./records.ts";
import { listTables, quoted } from "./tables.ts";

interface Options {
  signal?: AbortSignal;
  /** Hears of each step that takes long. */
  onStep?: (what: string) => void;
}

/**
 * Restores a backup into an empty database, with the migrations that it was made with. Returns the number of rows by table.
 *
 * First marks the database, so that no program starts on it, and makes the tables. The rows, their indexes and the end of the
 * mark are one transaction. A restore that is killed leaves the mark and tables without rows; the next one begins anew.
 */
export async function restore(
  client: pg.Client,
  backup: Backup,
  { signal, onStep = () => {} }: Options = {},
): Promise<End["rows"]> {
  // Otherwise the server would go on building indexes for a process that is gone. Not every platform can look.
  await client.query("SET client_connection_check_interval = '2s'").catch(() => {});
  await requireEmpty(client);
  await markRestoring(client);
  await buildSchema(client, backup.header.migrations);
  await client.query("BEGIN");
  await client.query("SET LOCAL maintenance_work_mem = '256MB'");
  const putBack = await setAside(client);
  const names = (await listTables(client)).map((table) => quoted(client, table)).join(", ");
  await client.query(`TRUNCATE ${names}`); // migrations write rows too; and the mark goes
  const rows = await readBackup(backup, (records) => load(client, records, onStep), signal);
  onStep("indexes");
  await putBack();
  await refreshViews(client);
  await client.query(`ANALYZE ${names}`);
  await client.query("COMMIT");
  return rows;
}

async function refreshViews(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ text: string }>(
    `SELECT format('REFRESH MATERIALIZED VIEW %I.%I', schemaname, matviewname) AS text FROM pg_matviews
      WHERE schemaname IN ('app', 'directory')`,
  );
  for (const { text } of rows) await client.query(text);
}
