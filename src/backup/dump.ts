import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { isFormer } from "../db/former.ts";
import { registeredKeys } from "../db/keys.ts";
import { appliedMigrations } from "../db/migrate.ts";
import { toFrames } from "./frames.ts";
import { type Header, randomSalt, refusal, writeHeader } from "./header.ts";
import { endRecord, nameOf, rowsRecord, type Table, tableRecord } from "./records.ts";
import { listSequences, listTables, quoted } from "./tables.ts";

interface Options {
  version: string;
  /** Encrypts the backup. */
  passphrase: string | undefined;
  signal?: AbortSignal;
}

export interface Dumped {
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
  if (migrations.length === 0) throw refusal("There is nothing to back up: this database has no tables of Samespot.");
  if (migrations.some(isFormer))
    throw refusal(
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
    let [parts, have]: [Buffer[], number] = [[], 0];
    for await (const chunk of copy as AsyncIterable<Buffer>) {
      parts.push(chunk);
      have += chunk.length;
      if (have < AT_A_TIME) continue;
      yield rowsRecord(Buffer.concat(parts));
      [parts, have] = [[], 0];
    }
    if (have > 0) yield rowsRecord(Buffer.concat(parts));
    rows[nameOf(table)] = copy.rowCount;
  }
  // Sequences know no snapshot. Read afterwards, none is behind the rows.
  yield endRecord({ sequences: await listSequences(client), rows });
}
