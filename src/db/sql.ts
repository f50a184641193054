import { hash } from "node:crypto";
import type { Pool, QueryConfig, QueryResult, QueryResultRow } from "pg";
import { Prisma } from "./generated/client.ts";

/** A statement or a part of one: text and values, kept apart. Parts may be parts of others. Prisma takes it, too: tx.$queryRaw(…). */
export type Sql = Prisma.Sql;

/** Becomes a parameter. An array is one, too: `id = ANY(${ids}::text[])`. JSON is text: `${JSON.stringify(cells)}::jsonb`. */
export type SqlValue = string | number | bigint | boolean | Date | Uint8Array | null | readonly SqlValue[];

type Template = [strings: readonly string[], ...values: (SqlValue | Sql)[]];

/**
 * A part of statements. Its `${…}` are values or other parts, never text. A value written twice is two parameters: where PostgreSQL
 * must see that both are the same (GROUP BY), select it once under a name.
 */
export function sql(...[strings, ...values]: Template): Sql {
  const missing = (values as unknown[]).indexOf(undefined);
  if (missing >= 0) throw new TypeError(`A value is undefined after: ${strings[missing]?.slice(-60)}`);
  return new Prisma.Sql(strings, values);
}

/** Text from the code or the database's catalogue as it is: names of tables and columns, constants. Never what a user entered. */
export const rawSql = (text: string | number): Sql => Prisma.raw(`${text}`);

/** At least one part, with SQL between. */
export const joinSql = (parts: readonly (SqlValue | Sql)[], between = ", "): Sql => Prisma.join(parts, between);

interface Runner {
  query(config: QueryConfig): Promise<QueryResult>;
}

/** What runs statements: a pool, a connection (of a transaction, say), or whatever has a pool. */
export type Db = Runner | { pool: Runner; isPrepared?: boolean };

/** A pool, or whatever has one: a Db that begins transactions (transactions.ts), too. */
export type PoolDb = Pool | { pool: Pool };

/**
 * Returns `db` for a statement that runs with nearly every request or task: each connection plans it once, under a name made from its
 * text, and keeps it. So its text must be one of few.
 */
export const prepared = (db: Db): Db => ({ pool: runnerOf(db), isPrepared: true });

/** Runs sql`…` and returns its rows. `Row` has the columns as its keys: test/db/row-types.faults.test.ts compares them with the database. */
export const queryRows =
  <Row extends QueryResultRow>(db: Db) =>
  async (...statement: Template): Promise<Row[]> =>
    (await send(db, statement)).rows;

/** Like queryRows(), for the first row. */
export const queryRow =
  <Row extends QueryResultRow>(db: Db) =>
  async (...statement: Template): Promise<Row | undefined> =>
    (await send(db, statement)).rows[0];

/** Like queryRows(), for the number of rows that were written, or found. */
export const execute =
  (db: Db) =>
  async (...statement: Template): Promise<number> =>
    (await send(db, statement)).rowCount ?? 0;

function send(db: Db, statement: Template): Promise<QueryResult> {
  const { text, values } = sql(...statement);
  const name = "isPrepared" in db && db.isPrepared ? nameOf(text) : undefined;
  return runnerOf(db).query({ text, values, ...(name !== undefined && { name }) });
}

const runnerOf = (db: Db): Runner => ("pool" in db ? db.pool : db);

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? hash("sha256", text, "base64url").slice(0, 22);
  names.set(text, name);
  return name;
}
