import type { Pool } from "pg";
import type { Keys, SealedColumn } from "./keys.ts";

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
export async function resealAll(pool: Pool, keys: Keys, onProgress: (rows: number) => void): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unreadable: [] };
  for (const column of keys.sealed) {
    let after: string[] | undefined;
    for (;;) {
      const rows = await readBatch(pool, keys, column, after);
      if (rows.length === 0) break;
      after = rows.at(-1)?.id;
      const { fresh, unreadable } = reseal(keys, column, rows);
      total.resealed += await replace(pool, column, fresh);
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
async function readBatch(pool: Pool, { vault }: Keys, { table, column, id }: SealedColumn, after?: string[]) {
  const names = Object.keys(id);
  const beyond = after ? `AND (${names}) > (${names.map((name, index) => `$${index + 2}::${id[name]}`)})` : "";
  const { rows } = await pool.query<Row>(
    `SELECT ARRAY[${names.map((name) => `${name}::text`)}] AS id, ${column} AS sealed FROM ${table}
      WHERE substring(${column} FROM 1 FOR 4) <> $1 ${beyond} ORDER BY ${names} LIMIT ${AT_A_TIME}`,
    [vault.keyIds[0], ...(after ?? [])],
  );
  return rows;
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
async function replace(pool: Pool, { table, column, id, beside }: SealedColumn, rows: FreshRow[]): Promise<number> {
  const names = Object.keys(id);
  const types = [...Object.values(id), "bytea", "bytea", ...(beside ? ["bytea"] : [])];
  const { rowCount } = await pool.query(
    `UPDATE ${table} AS t SET ${column} = f.fresh ${beside ? `, ${beside.column} = f.beside` : ""}
       FROM unnest(${types.map((type, index) => `$${index + 1}::${type}[]`)})
            AS f(${names}, held, fresh ${beside ? ", beside" : ""})
      WHERE (${names.map((name) => `t.${name}`)}) = (${names.map((name) => `f.${name}`)}) AND t.${column} = f.held`,
    [
      ...names.map((_, index) => rows.map((row) => row.id[index])),
      rows.map(({ sealed }) => sealed),
      rows.map(({ fresh }) => fresh),
      ...(beside ? [rows.map((row) => row.beside)] : []),
    ],
  );
  return rowCount ?? 0;
}
