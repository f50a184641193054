import type { Pool } from "pg";
import type { Vault } from "../shared/crypto.ts";
import { pendingMigrations } from "./migrate.ts";

/**
 * What one program has sealed, and with which keys. `vault_key` of its schema holds the id of every key that something
 * is, or may be, sealed with: a process that lacks one of them would take what it cannot open for damaged, and put
 * something else in its place.
 */
export interface Keys {
  schema: "app" | "directory";
  vault: Vault;
  /** All of it; values that live for minutes aside, which a retired key may take with it. */
  sealed: readonly SealedColumn[];
}

/** A column of sealed values. Tables, columns and types are of our own making, and go into SQL as they are. */
export interface SealedColumn {
  table: string;
  column: string;
  /** Columns of the primary key, and their types. */
  id: Readonly<Record<string, string>>;
  /** What the value of this row is sealed to. */
  place(...id: string[]): string;
  /** A column that is made of the same plain text, with the same key. */
  beside?: { column: string; value: (plain: string) => Uint8Array };
}

/**
 * Makes sure that what is sealed can be opened; enough for whoever seals nothing.
 *
 * @throws Error when a key in use is missing
 */
export async function checkKeys(pool: Pool, all: readonly Keys[]): Promise<void> {
  await refuse(pool, await findLacking(pool, all));
}

/**
 * Notes the newest key of each program as in use. To be called after the migrations and before anything is sealed.
 *
 * @throws Error when a key in use is missing; nothing has been changed then (attacks S07)
 */
export async function takeUpKeys(pool: Pool, all: readonly Keys[]): Promise<void> {
  await refuse(pool, await registerUnlessLacking(pool, all));
}

async function registerUnlessLacking(pool: Pool, all: readonly Keys[]): Promise<Lacking[]> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    // Of two that start on an empty database with different keys, the second must see the first one's.
    for (const keys of all) await client.query(`LOCK TABLE ${keys.schema}.vault_key IN SHARE ROW EXCLUSIVE MODE`);
    const lacking = await findLacking(client, all);
    for (const { schema, vault } of lacking.length > 0 ? [] : all) {
      const text = `INSERT INTO ${schema}.vault_key (id) VALUES ($1) ON CONFLICT DO NOTHING`;
      await client.query(text, [vault.keyIds[0]]);
    }
    await client.query("COMMIT");
    return lacking;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {}); // the connection may be gone, and the transaction with it
    throw error;
  } finally {
    client.release();
  }
}

interface Lacking {
  keys: Keys;
  /** Of the keys that are missing. */
  ids: string[];
}

async function findLacking(client: Pick<Pool, "query">, all: readonly Keys[]): Promise<Lacking[]> {
  const lacking: Lacking[] = [];
  for (const keys of all) {
    const ids = missing(await registeredKeys(client, keys.schema), keys);
    if (ids.length > 0) lacking.push({ keys, ids });
  }
  return lacking;
}

async function refuse(pool: Pool, lacking: Lacking[]): Promise<void> {
  if (lacking.length > 0) throw new Error(await explain(pool, lacking));
}

async function explain(pool: Pool, lacking: Lacking[]): Promise<string> {
  const described = lacking.map(async ({ keys, ids }) => {
    const counts = await countByKey(pool, keys).catch(() => undefined); // so many that it takes too long
    const amount = (id: string) => (counts ? (counts.get(id) ?? 0) : "many");
    return ids.map((id) => `${id} (values of the ${keys.schema} sealed with it: ${amount(id)})`);
  });
  return (
    `ENCRYPTION_KEYS lacks a key that is in use: ${(await Promise.all(described)).flat().join(", ")}. Nothing was ` +
    "changed. Put the key of before behind the first of ENCRYPTION_KEYS; where they were not set, it stands in " +
    "DATA_DIR/secrets.json. Once a key was replaced, ENCRYPTION_KEYS is needed at every start and command. Only if it is lost for good, give up what is sealed with it: samespot keys forget " +
    lacking.flatMap(({ ids }) => ids).join(" ")
  );
}

/** Ids of the keys in use, in hexadecimal digits, oldest first. */
export async function registeredKeys(pool: Pick<Pool, "query">, schema: Keys["schema"]): Promise<string[]> {
  const { rows } = await pool.query(`SELECT encode(id, 'hex') AS id FROM ${schema}.vault_key ORDER BY created_at, id`);
  return rows.map(({ id }) => id);
}

/** How many values each key has sealed. Reads them all. */
export async function countByKey(pool: Pool, { sealed }: Keys): Promise<Map<string, number>> {
  const parts = sealed.map(({ table, column }) => `SELECT substring(${column} FROM 1 FOR 4) AS id FROM ${table}`);
  const { rows } = await pool.query(
    `SELECT encode(id, 'hex') AS id, count(*)::int AS count FROM (${parts.join(" UNION ALL ")}) AS value
      WHERE id IS NOT NULL GROUP BY id`,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Takes keys off the list. What is still sealed with one counts as damaged from then on. */
export async function unregisterKeys(pool: Pool, schema: Keys["schema"], ids: readonly string[]): Promise<void> {
  await pool.query(`DELETE FROM ${schema}.vault_key WHERE encode(id, 'hex') = ANY($1)`, [ids]);
}

/** What keeps a listener from being ready: migrations that are missing, or keys that have changed since its start. */
export async function notReady(pool: Pool, keys: Keys): Promise<string[]> {
  const pending = await pendingMigrations(pool);
  if (pending.length > 0) return pending;
  const registered = await registeredKeys(pool, keys.schema);
  if (missing(registered, keys).length > 0) return ["a key in use is not in ENCRYPTION_KEYS"];
  const [newest] = keys.vault.keyIds.map(hex);
  const isRetired = registered.length > 0 && !registered.includes(newest ?? "");
  return isRetired ? ["the first of ENCRYPTION_KEYS is retired: put the newest first"] : [];
}

function missing(registered: readonly string[], { vault }: Keys): string[] {
  const known = vault.keyIds.map(hex);
  return registered.filter((id) => !known.includes(id));
}

/** A key's id as people see it. */
export const hex = (id: Uint8Array): string => Buffer.from(id).toString("hex");
