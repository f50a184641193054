import type { Keys, SealedColumn } from "./keys.ts";
import { type Db, execute, joinSql, queryRows, rawSql, type Sql, sql } from "./sql.ts";

export interface Resealed {
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
