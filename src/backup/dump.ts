import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { isFormer } from "../db/former.ts";
import { registeredKeys } from "../db/keys.ts";
import { appliedMigrations } from "../db/migrate.ts";
import { type Db, queryRows } from "../db/sql.ts";
import { badRequest } from "../shared/errors.ts";
import { toFrames } from "./backup-file.ts";
import { type Header, randomSalt, writeHeader } from "./header.ts";
import { type End, endRecord, nameOf, rowsRecord, type Table, tableRecord } from "./records.ts";

interface Options {
  version: string;
  /** Encrypts the backup. */
  passphrase: string | undefined;
  signal?: AbortSignal;
}

interface Dumped {
  header: Header;
  /** By `schema.name`. */
  rows: Record<string, number>;
}

/** Writes one consistent state of the database while others write. Throws a KnownError if the database is not Samespot's. */
export async function dump(
  client: pg.Client,
  sink: NodeJS.WritableStream,
  { version, passphrase, signal }: Options,
): Promise<Dumped> {
  const tables = await beginSnapshot(client);
  const migrations = await appliedMigrations(client);
  if (migrations.length === 0)
    throw badRequest("There is nothing to back up: this database has no tables of Samespot.");
  if (migrations.some(isFormer))
    throw badRequest(
      "This database was made before the first release. Back it up with the version that made it, or run samespot migrate first.",
    );
  const header: Header = {
    format: 1,
    version,
    madeAt: new Date().toISOString(),
    postgres: (await client.query("SELECT current_setting('server_version') AS version")).rows[0].version,
    migrations,
    keys: { app: await registeredKeys(client, "app"), directory: await registeredKeys(client, "directory") },
    ...(passphrase !== undefined && { salt: randomSalt() }),
  };
  const { bytes, seal } = writeHeader(header, passphrase);
  const rows: Dumped["rows"] = {};
  await pipeline(
    () => records(client, tables, rows),
    createZstdCompress(),
    async function* (compressed: AsyncIterable<Uint8Array>) {
      yield bytes;
      yield* toFrames(compressed, seal);
    },
    sink,
    { ...(signal && { signal }), end: true },
  );
  await client.query("COMMIT");
  return { header, rows };
}

/**
 * Locks the tables before the snapshot is taken: a table that is truncated or rewritten after a snapshot looks empty in it.
 * LOCK takes no snapshot.
 */
async function beginSnapshot(client: pg.Client): Promise<Table[]> {
  for (;;) {
    const tables = await listTables(client);
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const names = tables.map((table) => quoted(client, table));
    if (names.length > 0) await client.query(`LOCK TABLE ${names.join(", ")} IN ACCESS SHARE MODE`);
    const now = await listTables(client);
    if (JSON.stringify(now) === JSON.stringify(tables)) return tables;
    await client.query("ROLLBACK"); // migrated meanwhile
  }
}

/** PostgreSQL sends a row at a time. */
const AT_A_TIME = 128 * 1024;

async function* records(client: pg.Client, tables: Table[], rows: Dumped["rows"]): AsyncGenerator<Buffer> {
  for (const table of tables) {
    yield tableRecord(table);
    const columns = table.columns.map((name) => client.escapeIdentifier(name)).join(", ");
    const copy = client.query(copyTo(`COPY ${quoted(client, table)} (${columns}) TO STDOUT`));
    let parts: Buffer[] = [];
    let have = 0;
    for await (const chunk of copy as AsyncIterable<Buffer>) {
      parts.push(chunk);
      have += chunk.length;
      if (have < AT_A_TIME) continue;
      yield rowsRecord(Buffer.concat(parts));
      parts = [];
      have = 0;
    }
    if (have > 0) yield rowsRecord(Buffer.concat(parts));
    rows[nameOf(table)] = copy.rowCount;
  }
  // Sequences know no snapshot. Read afterwards, none is behind the rows.
  yield endRecord({ sequences: await listSequences(client), rows });
}

/**
 * Tables that a backup leaves out. Sessions that ended since, and codes that were used since, must not live again; people log
 * in again. The queue (schema `pgboss`) is left out too: it only says that there is something to do, and workers queue missing
 * tasks by the rows of the runs (src/harmonize/supervise.ts). So are unlogged tables, and views, which are filled anew. Events of long ago are
 * told to nobody again.
 */
export const LEFT_OUT: readonly string[] = [
  "app.session",
  "app.login_attempt",
  "app.instance",
  "app.webhook_delivery",
  "directory.session",
  "directory.authorization_request",
  "directory.authorization_code",
];

/** The tables of a backup with their columns, except generated ones. */
export async function listTables(db: Db): Promise<Table[]> {
  const tables = await queryRows<Table>(db)`
    SELECT n.nspname AS schema, c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relkind = 'r' AND c.relpersistence = 'p' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
       AND (n.nspname IN ('app', 'directory') OR c.oid = to_regclass('public._prisma_migrations'))
     GROUP BY 1, 2 ORDER BY 1, 2`;
  return tables.filter((table) => !LEFT_OUT.includes(nameOf(table)));
}

const listSequences = (db: Db): Promise<End["sequences"]> =>
  queryRows<End["sequences"][number]>(db)`
    SELECT schemaname AS schema, sequencename AS name, last_value::text AS last FROM pg_sequences
     WHERE schemaname IN ('app', 'directory') ORDER BY 1, 2`;

export const quoted = (client: pg.Client, { schema, name }: { schema: string; name: string }): string =>
  `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;
