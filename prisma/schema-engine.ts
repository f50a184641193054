// Writes migrations and finds drift with Prisma's schema engine as WebAssembly, without its CLI, download or network.
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlQuery,
} from "@prisma/driver-adapter-utils";
import { type DiffTarget, SchemaEngine } from "@prisma/schema-engine-wasm";
import pg from "pg";

const MIGRATIONS = path.join(import.meta.dirname, "migrations");
const SCHEMA = path.join(import.meta.dirname, "schema.prisma");

// The engine reports a panic here before it aborts.
Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => console.error(message) } });

/**
 * Returns the SQL from the migrations, replayed in a shadow database on the server of `url`, to schema.prisma, or "" if they
 * agree. Ignores what Prisma cannot express: CHECK, extensions, partial indexes.
 */
export async function migrationDiff(url: string): Promise<string> {
  const schema = readFileSync(SCHEMA, "utf8");
  const factory = bindMigrationAwareSqlAdapterFactory(repairedAdapter(url));
  const engine = await SchemaEngine.new({ datamodels: [[SCHEMA, schema]] }, () => {}, factory);
  const { stdout } = await engine.diff({
    from: migrations(),
    to: { tag: "schemaDatamodel", files: [{ path: SCHEMA, content: schema }] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return /^\s*(-- This is an empty migration\.)?\s*$/.test(stdout ?? "") ? "" : (stdout ?? "");
}

function migrations(): DiffTarget {
  const lock = path.join(MIGRATIONS, "migration_lock.toml");
  if (!existsSync(lock)) return { tag: "empty" };
  const folders = readdirSync(MIGRATIONS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return {
    tag: "migrations",
    baseDir: MIGRATIONS,
    lockfile: { path: "migration_lock.toml", content: readFileSync(lock, "utf8") },
    shadowDbInitScript: "",
    migrationDirectories: folders.map(({ name }) => {
      // Its scripts are transactions.
      const sql = readFileSync(path.join(MIGRATIONS, name, "migration.sql"), "utf8").replaceAll(" CONCURRENTLY", "");
      return { path: name, migrationFile: { path: "migration.sql", content: { tag: "ok", value: sql } } };
    }),
  };
}

/**
 * Repairs three faults of @prisma/adapter-pg 7.10: it splits scripts at every ";", rejects the system catalogs' type "char",
 * and given a connection string uses the main database as shadow database.
 */
function repairedAdapter(url: string) {
  return {
    provider: "postgres",
    adapterName: "@prisma/adapter-pg",
    connect: () => open(url),
    connectToShadowDb: async () => {
      const name = `samespot_shadow_${randomUUID()}`;
      const shadow = new URL(url);
      shadow.pathname = name;
      await execute(url, `CREATE DATABASE "${name}"`);
      return open(shadow.href, () => execute(url, `DROP DATABASE "${name}" WITH (FORCE)`));
    },
  } as const;
}

async function open(url: string, afterwards?: () => Promise<void>): Promise<SqlDriverAdapter> {
  const pool = new pg.Pool({ connectionString: url });
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult>;
  const charColumns = new WeakMap<unknown[], number[]>();
  const withoutChar = async (...args: unknown[]) => {
    const result = await query(...args);
    const chars = result.fields.flatMap((field, column) => (field.dataTypeID === CHAR ? column : []));
    for (const column of chars) Object.assign(result.fields[column] ?? {}, { dataTypeID: TEXT });
    charColumns.set(result.rows, chars);
    return result;
  };
  const adapter = await new PrismaPg(Object.assign(pool, { query: withoutChar })).connect();
  const queryRaw = adapter.queryRaw.bind(adapter);
  return Object.assign(adapter, {
    queryRaw: async (sql: SqlQuery) => {
      const result = await queryRaw(sql);
      for (const column of charColumns.get(result.rows) ?? []) result.columnTypes[column] = ColumnTypeEnum.Character;
      return result;
    },
    executeScript: async (script: string) => void (await query(script)),
    dispose: async () => {
      await pool.end();
      await afterwards?.();
    },
  });
}

const CHAR = 18;
const TEXT = 25;

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
