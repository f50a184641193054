import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { buildSchema, clearInterrupted, markRestoring } from "../db/restoring.ts";
import { type Db, execute, queryRow, queryRows, sql } from "../db/sql.ts";
import { badRequest } from "../shared/errors.ts";
import { type Backup, readBackup } from "./backup-file.ts";
import { listTables, quoted } from "./dump.ts";
import { DAMAGED } from "./header.ts";
import { type BackupRecord, type End, nameOf, type Table } from "./records.ts";

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
  const refreshes = await queryRows<{ text: string }>(client)`
    SELECT format('REFRESH MATERIALIZED VIEW %I.%I', schemaname, matviewname) AS text FROM pg_matviews
     WHERE schemaname IN ('app', 'directory')`;
  for (const { text } of refreshes) await client.query(text);
}

/** Throws a KnownError if the database has tables, except those of an interrupted restore, which it removes. */
async function requireEmpty(client: pg.Client): Promise<void> {
  await clearInterrupted(client);
  const table = await queryRow<{ name: string }>(client)`
    SELECT n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = c.oid AND deptype = 'e') -- of an extension
     ORDER BY 1 LIMIT 1`;
  if (!table) return;
  throw badRequest(
    `The database is not empty (it has ${table.name}), and a restore replaces nothing. Set DATABASE_URL to a new database, ` +
      "or for the embedded one DATA_DIR to a new folder.",
  );
}

/** Fills the tables, which the same transaction has truncated. Returns the number of rows by table. */
async function load(
  client: pg.Client,
  records: AsyncIterator<BackupRecord>,
  onStep: (what: string) => void,
): Promise<End["rows"]> {
  const known = new Set((await listTables(client)).map(nameOf));
  const rows: End["rows"] = {};
  let next = await records.next();
  async function* ofTable(): AsyncGenerator<Buffer> {
    for (;;) {
      next = await records.next();
      if (next.done || next.value.kind !== "rows") return;
      yield next.value.bytes;
    }
  }
  while (!next.done && next.value.kind === "table") {
    const { table } = next.value;
    if (!known.has(nameOf(table))) throw badRequest(`${DAMAGED} It has an unknown table, ${nameOf(table)}.`);
    onStep(nameOf(table));
    const copy = client.query(copyFrom(copyText(client, table)));
    await pipeline(ofTable, copy);
    rows[nameOf(table)] = copy.rowCount;
  }
  if (next.done || next.value.kind !== "end") throw badRequest(DAMAGED);
  const { end } = next.value;
  await records.next(); // reads to the end of the file
  const wrong = Object.keys(end.rows).filter((name) => end.rows[name] !== rows[name]);
  if (wrong.length > 0) throw badRequest(`${DAMAGED} Rows are missing in ${wrong.join(", ")}.`);
  for (const { schema, name, last } of end.sequences)
    if (last !== null) await execute(client)`SELECT setval(${quoted(client, { schema, name })}, ${last})`;
  return rows;
}

/** FREEZE spares the table a vacuum that would write all of it again. */
function copyText(client: pg.Client, table: Table): string {
  const columns = table.columns.map((name) => client.escapeIdentifier(name)).join(", ");
  return `COPY ${quoted(client, table)} (${columns}) FROM STDIN WITH (FREEZE)`;
}

interface Part {
  drop: string;
  make: string;
}

/**
 * Drops indexes and keys, and turns off triggers: to fill a table and index it afterwards is quicker, and rows come as they
 * were. Returns a function that puts all back.
 */
async function setAside(client: pg.Client): Promise<() => Promise<void>> {
  const foreign = await constraintsOf(client, ["f"]);
  const keys = await constraintsOf(client, ["p", "u"]);
  const indexes = await queryRows<Part>(client)`${INDEXES}`;
  const triggers = await queryRows<Part>(client)`${TRIGGERS}`;
  const all = [...foreign, ...keys, ...indexes, ...triggers];
  for (const { drop } of all) await client.query(drop);
  return async () => {
    for (const { make } of [...keys, ...indexes, ...foreign, ...triggers]) await client.query(make);
  };
}

/** @param types as in pg_constraint */
const constraintsOf = (db: Db, types: readonly string[]): Promise<Part[]> =>
  queryRows<Part>(db)`
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
           format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
      FROM pg_constraint
     WHERE connamespace IN (to_regnamespace('app'), to_regnamespace('directory')) AND contype::text = ANY (${types})
     ORDER BY conrelid, conname`;

const INDEXES = sql`SELECT format('DROP INDEX %s', indexrelid::regclass) AS drop, pg_get_indexdef(indexrelid) AS make
  FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
 WHERE t.relkind = 'r' AND t.relnamespace IN (to_regnamespace('app'), to_regnamespace('directory'))
   AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND contype IN ('p', 'u'))
 ORDER BY i.indrelid, i.indexrelid`;

const TRIGGERS = sql`SELECT DISTINCT format('ALTER TABLE %s DISABLE TRIGGER USER', tgrelid::regclass) AS drop,
    format('ALTER TABLE %s ENABLE TRIGGER USER', tgrelid::regclass) AS make
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
 WHERE NOT tgisinternal AND c.relnamespace IN (to_regnamespace('app'), to_regnamespace('directory'))`;
