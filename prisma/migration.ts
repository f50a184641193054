// `npm run migration -- new <name>` writes the next migration from the changes in schema.prisma; `npm run migration -- drift`
// exits with 1 if they differ. `--url` names a PostgreSQL on which to replay the migrations, by default an embedded one.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startEmbedded } from "../src/db/embedded/embedded.ts";
import { migrationDiff } from "./schema-engine.ts";

const { values, positionals } = parseArgs({ options: { url: { type: "string" } }, allowPositionals: true });
const [command, name] = positionals;

if (command === "new" && name && /^[a-z0-9_]+$/.test(name)) create(name, await diff());
else if (command === "drift") report(await diff());
else {
  console.error("npm run migration -- new <name of a-z, 0-9, _> | drift [--url postgresql://…]");
  process.exitCode = 2;
}

async function diff(): Promise<string> {
  if (values.url) return migrationDiff(values.url);
  const dir = mkdtempSync(path.join(tmpdir(), "samespot-migration-"));
  chmodSync(dir, 0o755); // the server may run as another user
  const database = await startEmbedded({ dir, settings: { fsync: "off" } });
  try {
    return await migrationDiff(database.url);
  } finally {
    await database.stop();
    rmSync(dir, { recursive: true });
  }
}

function create(name: string, sql: string): void {
  if (!sql) {
    console.log("schema.prisma has not changed since the last migration.");
    return;
  }
  const root = path.join(import.meta.dirname, "migrations");
  const folder = path.join(root, `${new Date().toISOString().replace(/\D/g, "").slice(0, 14)}_${name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "migration.sql"), sql);
  writeFileSync(path.join(root, "migration_lock.toml"), 'provider = "postgresql"\n');
  console.log(`Wrote ${path.relative(process.cwd(), folder)}/migration.sql. Read it before you commit it.`);
}

function report(sql: string): void {
  if (sql) console.error(`The migrations are missing:\n${sql}`);
  else console.log("The migrations match schema.prisma.");
  process.exitCode = sql ? 1 : 0;
}
