import fc from "fast-check";
import type { PoolClient } from "pg";
import { describe, expect, test } from "vitest";
import { inTransactions } from "../../src/db/pooler.ts";
import {
  execute,
  joinSql,
  prepared,
  queryRow,
  queryRows,
  rawSql,
  type Sql,
  type SqlValue,
  sql,
} from "../../src/db/sql.ts";
import { testDatabase } from "../support/database/database.ts";

const { pool } = (await testDatabase()).database;

const preparedOnes = async (client: Parameters<typeof queryRows>[0]) =>
  (
    await queryRows<{ statement: string }>(client)`
    SELECT statement FROM pg_prepared_statements WHERE statement LIKE 'SELECT $1::int +%' ORDER BY 1`
  ).map(({ statement }) => statement);

const withClient = async <T>(work: (client: PoolClient) => Promise<T>) => {
  const client = await pool.connect();
  return work(client).finally(() => client.release(true));
};

describe("a statement", () => {
  test("numbers the values of nested parts in the order in which they stand", () => {
    const part = sql`a = ${1} AND ${sql`b = ${2}`}`;
    const whole = sql`SELECT ${0} WHERE ${part} OR ${part} OR c = ${3}`;
    expect(whole.text).toBe("SELECT $1 WHERE a = $2 AND b = $3 OR a = $4 AND b = $5 OR c = $6");
    expect(whole.values).toEqual([0, 1, 2, 1, 2, 3]);
  });

  const values = fc.oneof(fc.string(), fc.constantFrom("'; DROP TABLE x --", "$1"), fc.integer(), fc.boolean());
  const parts = fc.letrec<{ part: Sql; hole: SqlValue | Sql }>((tie) => ({
    hole: fc.oneof({ depthSize: "small" }, values, tie("part")),
    part: fc.array(tie("hole"), { maxLength: 4 }).map((holes) => {
      return sql(["(", ...holes.map((_, index) => (index === holes.length - 1 ? ")" : ","))], ...holes);
    }),
  })).part;

  test("keeps every value out of its text, however parts are nested", () => {
    fc.assert(
      fc.property(parts, ({ text, values: kept }) => {
        let number = 0;
        expect(text.replace(/\$(\d+)/g, (_, shown) => (Number(shown) === ++number ? "?" : "wrong"))).toMatch(
          /^[(),?]*$/,
        );
        expect(kept).toHaveLength(number);
      }),
    );
  });

  test("gives PostgreSQL each value as it is", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0"))),
        async (texts) => {
          const same = await queryRow<{ texts: string[] }>(pool)`SELECT ${texts}::text[] AS texts`;
          expect(same).toEqual({ texts });
        },
      ),
      { numRuns: 30 },
    );
    const date = new Date(0);
    const row = await queryRow(pool)`SELECT ${date}::timestamptz AS date, ${Buffer.from([0, 1])}::bytea AS bytes,
      ${null}::text AS nothing, ${[[1, 2]]}::int[] AS numbers, ${12n}::bigint AS large`;
    expect(row).toEqual({ date, bytes: Buffer.from([0, 1]), nothing: null, numbers: [[1, 2]], large: "12" });
  });

  test("refuses undefined, which would be taken for null", () => {
    expect(() => sql`SELECT ${1} WHERE b = ${undefined as unknown as null}`).toThrow(
      "A value is undefined after:  WHERE b = ",
    );
  });

  test("takes text as SQL only from rawSql, and joins parts", () => {
    const statement = sql`SELECT ${joinSql([rawSql('"x"'), sql`${1}::int`, 2])} FROM ${rawSql("t")}`;
    expect(statement.text).toBe('SELECT "x", $1::int, $2 FROM t');
  });
});

describe("a database", () => {
  test("returns rows, the first row or their number, from a pool, its owner or a connection", async () => {
    const owner = { pool };
    for (const db of [pool, owner, prepared(pool), prepared(owner)]) {
      expect(await queryRows(db)`SELECT n FROM generate_series(1, ${3}::int) n`).toEqual([
        { n: 1 },
        { n: 2 },
        { n: 3 },
      ]);
      expect(await queryRow(db)`SELECT 1 AS n WHERE ${false}`).toBeUndefined();
      expect(await execute(db)`SELECT FROM generate_series(1, ${2}::int)`).toBe(2);
    }
  });

  test("keeps a prepared statement once, whatever its values, and no other", () =>
    withClient(async (client) => {
      for (const id of [1, 2]) await execute(prepared(client))`SELECT ${id}::int + 1`;
      await execute(prepared(client))`SELECT ${1}::int + 2`;
      await execute(client)`SELECT ${1}::int + 3`;
      expect(await preparedOnes(client)).toEqual(["SELECT $1::int + 1", "SELECT $1::int + 2"]);
    }));

  test.each([true, false])("runs behind a pooler that keeps names: %s", (keepsNames) =>
    withClient(async (client) => {
      inTransactions(client, { role: undefined, keepsNames }, {});
      expect(await queryRow(prepared(client))`SELECT ${1}::int + 4 AS n`).toEqual({ n: 5 });
      expect((await client.query(sql`SELECT ${2}::int AS n`)).rows).toEqual([{ n: 2 }]);
      expect(await preparedOnes(client)).toEqual(keepsNames ? ["SELECT $1::int + 4 AS n"] : []);
    }),
  );
});
