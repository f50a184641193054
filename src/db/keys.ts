import type { Pool } from "pg";
import type { Vault } from "../shared/crypto.ts";
import { type Db, execute, joinSql, queryRows, rawSql, type Sql, sql } from "./sql.ts";
import { inTransaction } from "./transactions.ts";

/** `vault_key` lists every key in use: a process without one of them would treat its values as damaged and replace them. */
export interface Keys {
  schema: "app" | "directory";
  vault: Vault;
  /** Except values that live for minutes, which may end with a retired key. */
  sealed: readonly SealedColumn[];
}

/** Names and types go into SQL unescaped. */
interface SealedColumn {
  table: string;
  column: string;
  /** Columns of the primary key with their types. */
  id: Readonly<Record<string, string>>;
  /** Returns the place that the row's value is bound to. */
  place(...id: string[]): string;
  /** A column derived from the same plain text with the same key. */
  beside?: { column: string; value: (plain: string) => Uint8Array };
}

/** Throws if a key in use is missing. */
export async function checkKeys(db: Db, all: readonly Keys[]): Promise<void> {
  await refuse(db, await findLacking(db, all));
}

/** Registers the newest keys as in use, before anything is sealed. If a key in use is missing, only throws (attacks S07). */
export async function takeUpKeys(pool: Pool, all: readonly Keys[]): Promise<void> {
  await refuse(pool, await registerUnlessLacking(pool, all));
}

const registerUnlessLacking = (pool: Pool, all: readonly Keys[]): Promise<Lacking[]> =>
  inTransaction(pool, async (client) => {
    // Two processes may start on an empty database with different keys: the second must see the key of the first.
    for (const keys of all) await client.query(`LOCK TABLE ${keys.schema}.vault_key IN SHARE ROW EXCLUSIVE MODE`);
    const lacking = await findLacking(client, all);
    for (const { schema, vault } of lacking.length > 0 ? [] : all) {
      const [newest = null] = vault.keyIds;
      await execute(client)`INSERT INTO ${rawSql(schema)}.vault_key (id) VALUES (${newest}) ON CONFLICT DO NOTHING`;
    }
    return lacking;
  });

interface Lacking {
  keys: Keys;
  ids: string[];
}

async function findLacking(db: Db, all: readonly Keys[]): Promise<Lacking[]> {
  const lacking: Lacking[] = [];
  for (const keys of all) {
    const ids = missing(await registeredKeys(db, keys.schema), keys);
    if (ids.length > 0) lacking.push({ keys, ids });
  }
  return lacking;
}

async function refuse(db: Db, lacking: Lacking[]): Promise<void> {
  if (lacking.length > 0) throw new Error(await explain(db, lacking));
}

async function explain(db: Db, lacking: Lacking[]): Promise<string> {
  const described = lacking.map(async ({ keys, ids }) => {
    const counts = await countByKey(db, keys).catch(() => undefined); // too many to count in time
    const amount = (id: string) => (counts ? (counts.get(id) ?? 0) : "many");
    return ids.map((id) => `${id} (values encrypted with it in the ${keys.schema}: ${amount(id)})`);
  });
  return (
    `ENCRYPTION_KEYS is missing a key that is in use: ${(await Promise.all(described)).flat().join(", ")}. Nothing was ` +
    "changed. Append the previous key to ENCRYPTION_KEYS; if they were not set before, it is in " +
    "DATA_DIR/secrets.json. After a key was replaced, every start and command needs ENCRYPTION_KEYS. Only if the key is lost for good, give up the values encrypted with it: samespot keys forget " +
    lacking.flatMap(({ ids }) => ids).join(" ")
  );
}

export async function registeredKeys(db: Db, schema: Keys["schema"]): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(db)`
    SELECT encode(id, 'hex') AS id FROM ${rawSql(schema)}.vault_key ORDER BY created_at, id`;
  return rows.map(({ id }) => id);
}

/** Counts the values sealed with each key. Reads all of them. */
export async function countByKey(db: Db, { sealed }: Keys): Promise<Map<string, number>> {
  const parts = sealed.map(({ table, column }) => `SELECT substring(${column} FROM 1 FOR 4) AS id FROM ${table}`);
  const rows = await queryRows<{ id: string; count: number }>(db)`
    SELECT encode(id, 'hex') AS id, count(*)::int AS count FROM (${rawSql(parts.join(" UNION ALL "))}) AS value
     WHERE id IS NOT NULL GROUP BY id`;
  return new Map(rows.map(({ id, count }) => [id, count]));
}

export async function unregisterKeys(db: Db, schema: Keys["schema"], ids: readonly string[]): Promise<void> {
  await execute(db)`DELETE FROM ${rawSql(schema)}.vault_key WHERE encode(id, 'hex') = ANY(${ids})`;
}

/** For readiness. */
export async function keyProblems(db: Db, keys: Keys): Promise<string[]> {
  const registered = await registeredKeys(db, keys.schema);
  if (missing(registered, keys).length > 0) return ["a key in use is not in ENCRYPTION_KEYS"];
  const [newest] = keys.vault.keyIds.map(hex);
  const isRetired = registered.length > 0 && !registered.includes(newest ?? "");
  return isRetired ? ["the first key in ENCRYPTION_KEYS is retired: put the newest key first"] : [];
}

function missing(registered: readonly string[], { vault }: Keys): string[] {
  const known = vault.keyIds.map(hex);
  return registered.filter((id) => !known.includes(id));
}

export const hex = (id: Uint8Array): string => Buffer.from(id).toString("hex");

interface Resealed {
  resealed: number;
  /** Rows that no key can open, as `table(id)`. They are left unchanged. */
  unreadable: string[];
}

const AT_A_TIME = 500;

/**
 * Seals the values of older keys again with the newest. Replaces a value only if it is still the one that was read, so a
 * concurrent write survives. May be killed, repeated, and run twice at once.
 *
 * @param onProgress gets the number of rows just read
 */
export async function resealAll(db: Db, keys: Keys, onProgress: (rows: number) => void): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unreadable: [] };
  for (const column of keys.sealed) {
    let after: string[] | undefined;
    for (;;) {
      const rows = await readBatch(db, keys, column, after);
      if (rows.length === 0) break;
      after = rows.at(-1)?.id;
      const { fresh, unreadable } = reseal(keys, column, rows);
      total.resealed += await replace(db, column, fresh);
      total.unreadable.push(...unreadable.map(({ id }) => `${column.table}(${id.join(", ")})`));
      onProgress(rows.length);
    }
  }
  return total;
}

interface Row {
  id: string[];
  sealed: Buffer;
}

/** Returns the next rows, in primary key order, that are not sealed with the newest key. */
async function readBatch(db: Db, { vault }: Keys, { table, column, id }: SealedColumn, after?: string[]) {
  const names = Object.keys(id);
  const [newest = null] = vault.keyIds;
  const key = rawSql(names.join(", "));
  const reached = after?.map((value, index) => sql`${value}::${rawSql(id[names[index] ?? ""] ?? "")}`);
  const beyond = reached ? sql`AND (${key}) > (${joinSql(reached)})` : sql``;
  return queryRows<Row>(db)`
    SELECT ARRAY[${rawSql(names.map((name) => `${name}::text`).join(", "))}] AS id, ${rawSql(column)} AS sealed FROM ${rawSql(table)}
     WHERE substring(${rawSql(column)} FROM 1 FOR 4) <> ${newest} ${beyond} ORDER BY ${key} LIMIT ${rawSql(AT_A_TIME)}`;
}

interface FreshRow extends Row {
  fresh: Uint8Array;
  beside: Uint8Array | undefined;
}

function reseal({ vault }: Keys, { place, beside }: SealedColumn, rows: Row[]) {
  const fresh: FreshRow[] = [];
  const unreadable: Row[] = [];
  for (const row of rows) {
    const plain = vault.open(row.sealed, place(...row.id));
    if (plain === undefined) unreadable.push(row);
    else fresh.push({ ...row, fresh: vault.seal(plain, place(...row.id)), beside: beside?.value(plain) });
  }
  return { fresh, unreadable };
}

/** Returns how many rows were unchanged since they were read. */
async function replace(db: Db, { table, column, id, beside }: SealedColumn, rows: FreshRow[]): Promise<number> {
  const names = Object.keys(id);
  const lists: Sql[] = [
    ...Object.values(id).map((type, index) => sql`${rows.map((row) => row.id[index] ?? null)}::${rawSql(type)}[]`),
    sql`${rows.map(({ sealed }) => sealed)}::bytea[]`,
    sql`${rows.map(({ fresh }) => fresh)}::bytea[]`,
    ...(beside ? [sql`${rows.map((row) => row.beside ?? null)}::bytea[]`] : []),
  ];
  const keyOf = (row: string) => rawSql(names.map((name) => `${row}.${name}`).join(", "));
  const alsoBeside = beside ? sql`, ${rawSql(beside.column)} = f.beside` : sql``;
  return execute(db)`
    UPDATE ${rawSql(table)} AS t SET ${rawSql(column)} = f.fresh${alsoBeside}
      FROM unnest(${joinSql(lists)}) AS f(${rawSql([...names, "held", "fresh", ...(beside ? ["beside"] : [])].join(", "))})
     WHERE (${keyOf("t")}) = (${keyOf("f")}) AND t.${rawSql(column)} = f.held`;
}
