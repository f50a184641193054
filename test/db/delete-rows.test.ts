import type { QueryConfig } from "pg";
import { expect, test } from "vitest";
import { deleteNumbered } from "../../src/db/bulk.ts";
import { makeHarmonization } from "../harmonize/rows.ts";
import { testDatabase } from "../support/database/database.ts";

const { database } = await testDatabase();
const { pool, prisma } = database;

test("all rows of an owner are deleted in ranges that skip deleted rows, and no other owner's", async () => {
  const [one, other] = await Promise.all(
    ["one", "other"].map((name) => makeHarmonization(database, null, [], { directory: "http://directory.test", name })),
  );
  await prisma.$executeRaw`
    INSERT INTO app.listing (harmonization_id, number, line, cells)
    SELECT id, n, n, '{}' FROM app.harmonization, generate_series(1, 12001, 60) n`;
  const before = await prisma.listing.count({ where: { harmonizationId: other?.id ?? "" } });
  const statements: string[] = [];
  const query = (statement: QueryConfig) => {
    statements.push(statement.text);
    return pool.query(statement);
  };
  await deleteNumbered({ query }, "app.listing", `harmonization_id = '${one?.id}'`);
  const left = await prisma.listing.groupBy({ by: ["harmonizationId"], _count: true });
  expect(left).toEqual([{ harmonizationId: other?.id, _count: before }]);
  const stretches = statements.map((text) => /number > (\d+) AND number <= (\d+)$/.exec(text)?.slice(1).map(Number));
  expect(stretches).toEqual([undefined, [0, 5000], [5000, 10_000], [10_000, 15_000]]);
});
