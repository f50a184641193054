import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FOLDER, migrationNames, readMigration } from "../../../src/db/migration-files.ts";
import { alterationsOf } from "./alterations.ts";
import { refusalsOf } from "./refusals.ts";
import { statementsIn, venueStatements } from "./statements.ts";

const statements = await venueStatements();

test("the statements on venues are found in the source", () => {
  const files = new Set(statements.map(({ place }) => place.replace(/:\d+$/, "")));
  expect([...files]).toEqual(
    expect.arrayContaining(["src/directory/venues/candidates.ts", "src/directory/checkins.ts"]),
  );
  expect(statements.length).toBeGreaterThan(25);
});

test.each(statements)("F42: Citus takes the statement at $place", async ({ sql }) => {
  expect(await refusalsOf(sql), sql).toEqual([]);
});

test.each([
  ["SELECT 1 FROM directory.venue WHERE id = $1 FOR UPDATE", "FOR UPDATE without the tile"],
  ["SELECT EXISTS (SELECT FROM directory.venue)", "SELECT without columns: write SELECT 1"],
  ["WITH few AS (SELECT id FROM directory.venue LIMIT 9) SELECT id FROM few", "WITH without the tile"],
  [
    "SELECT v.id FROM unnest($1::box[]) b CROSS JOIN LATERAL (SELECT id FROM directory.venue n WHERE n.point <@ b LIMIT 9) v",
    "LATERAL with LIMIT without the tile",
  ],
  [
    "SELECT v.id FROM unnest($1::box[]) b CROSS JOIN LATERAL (SELECT id FROM directory.venue n WHERE n.tile = ANY ($2) LIMIT 9) v",
    "LATERAL with LIMIT without the tile",
  ],
  [
    "UPDATE directory.venue SET (lat, tile) = ROW (1, 2) WHERE id = $1",
    "UPDATE of the tile: delete the row and insert it",
  ],
  ["INSERT INTO directory.venue (id) VALUES ($1) ON CONFLICT (id) DO NOTHING", "ON CONFLICT without the tile"],
  [
    "SELECT v.id FROM directory.venue v WHERE NOT EXISTS (SELECT 1 FROM seen WHERE seen.id = v.id)",
    "EXISTS of another table: take the venues from a subquery with OFFSET 0",
  ],
  [
    "INSERT INTO directory.venue AS v (id) VALUES ($1) RETURNING extract(epoch FROM v.created_at)",
    "RETURNING extract() of a time with a time zone: write AT TIME ZONE 'UTC'",
  ],
  ["DELETE FROM directory.venue v RETURNING id, to_jsonb(v) AS row", "RETURNING to_jsonb(): read the rows before"],
])("a planted statement is refused: %s", async (sql, why) => {
  expect(await refusalsOf(sql)).toEqual([why]);
});

test("F42: a planted statement is found in a module and refused", async () => {
  const source = readFileSync("src/directory/venues/candidates.ts", "utf8");
  const planted = source.replace(/\$\{inTile\("n", "\$8", tile\)\} AND /, "");
  expect(planted).not.toBe(source);
  const found = await statementsIn("src/directory/venues/candidates.ts", planted);
  const refused = await Promise.all(found.map(({ sql }) => refusalsOf(sql)));
  expect(refused.flat()).toEqual(["WITH without the tile"]);
});

test.each(await migrationNames(FOLDER))("F42: Citus takes what the migration %s does to the venues", async (name) => {
  expect(await alterationsOf((await readMigration(FOLDER, name)).sql)).toEqual([]);
});

test.each([
  [
    'ALTER TABLE "directory"."venue" ADD COLUMN a INT, ADD COLUMN b INT',
    "ALTER TABLE with several parts: write one for each",
  ],
  ['CREATE UNIQUE INDEX "x" ON "directory"."venue" ("url")', "a unique index without the tile"],
  ['CREATE TRIGGER "x" BEFORE INSERT ON "directory"."venue" EXECUTE FUNCTION f()', "a trigger"],
])("a planted migration is refused: %s", async (sql, why) => {
  expect(await alterationsOf(sql)).toEqual([why]);
});
