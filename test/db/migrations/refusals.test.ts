import { expect, test } from "vitest";
import { refusalsOf } from "./refusals.ts";

const usual = (sql: string, earlier?: string) =>
  refusalsOf({ sql, isBackground: false, isInStretches: false }, earlier);
const background = (sql: string) => refusalsOf({ sql, isBackground: true, isInStretches: false });

test.each([
  'CREATE INDEX "i" ON "app"."listing" ("a")',
  'CREATE INDEX CONCURRENTLY "i" ON "app"."listing" ("a")',
  'DROP INDEX "app"."i"',
  "DROP TABLE app.portion",
  "DROP TYPE app.account_role",
  "DROP FUNCTION app.code_task()",
  "TRUNCATE app.portion",
  "ALTER TABLE app.listing DROP COLUMN name",
  "ALTER TABLE app.listing DROP COLUMN IF EXISTS name",
  "ALTER TABLE app.listing RENAME COLUMN name TO title",
  "ALTER TABLE app.listing RENAME TO row",
  "ALTER TYPE app.listing_status RENAME VALUE 'asked' TO 'matched'",
  "ALTER TABLE app.listing SET SCHEMA directory",
  "ALTER TABLE app.listing ALTER COLUMN number TYPE bigint",
  "ALTER TABLE app.listing ALTER COLUMN name SET NOT NULL",
  "ALTER TABLE app.listing ADD COLUMN a uuid DEFAULT gen_random_uuid()",
  "ALTER TABLE app.listing ADD COLUMN a timestamptz DEFAULT clock_timestamp()",
  "ALTER TABLE app.listing ADD COLUMN a text NOT NULL",
  "ALTER TABLE app.listing ADD COLUMN a bigserial",
  "ALTER TABLE app.listing ADD COLUMN a int GENERATED ALWAYS AS (number + 1) STORED",
  "ALTER TABLE app.listing ADD COLUMN a int UNIQUE",
  "ALTER TABLE app.listing ADD COLUMN a uuid REFERENCES app.account (id)",
  "ALTER TABLE app.listing ADD CONSTRAINT c CHECK (number > 0)",
  "ALTER TABLE app.listing ADD CONSTRAINT c FOREIGN KEY (a) REFERENCES app.account (id)",
  "ALTER TABLE app.listing ADD CONSTRAINT c UNIQUE (number)",
  "ALTER TABLE app.listing ADD COLUMN a int, DROP COLUMN b",
  "ALTER TABLE app.listing SET LOGGED",
  "ALTER TABLE app.listing VALIDATE CONSTRAINT c; ALTER TABLE app.listing ADD COLUMN a int",
  "CREATE TABLE app.copy (a int); INSERT INTO app.copy SELECT number FROM app.listing",
  "UPDATE app.listing SET name = ''",
  "DELETE FROM app.listing",
  "ALTER TYPE app.listing_status ADD VALUE 'new'; ALTER TABLE app.listing ALTER COLUMN status SET DEFAULT 'new'",
  "DO $$ BEGIN DELETE FROM app.listing; END $$",
  "LOCK TABLE app.listing",
  "CLUSTER app.listing USING i",
  "VACUUM FULL app.listing",
])("F40: a migration is refused if it locks or removes what is in use: %s", async (sql) => {
  expect(await usual(sql)).toHaveLength(1);
});

test.each([
  'CREATE TABLE "app"."new" ("a" int NOT NULL UNIQUE); CREATE INDEX "i" ON "app"."new" ("a"); UPDATE app.new SET a = 1',
  "CREATE TABLE app.new (a int); ALTER TABLE app.new ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES app.account (id)",
  "ALTER TABLE app.listing ADD COLUMN a text, ADD COLUMN b boolean NOT NULL DEFAULT false, ADD COLUMN c text[] DEFAULT ARRAY[]::text[]",
  "ALTER TABLE app.listing ADD COLUMN a timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP",
  "ALTER TABLE app.listing ADD CONSTRAINT c CHECK (number > 0) NOT VALID",
  "ALTER TABLE app.listing VALIDATE CONSTRAINT c",
  "ALTER TABLE app.listing DROP CONSTRAINT c",
  "ALTER TYPE app.listing_status ADD VALUE 'new'",
  "INSERT INTO app.vault_key VALUES ('a')",
])("a migration is accepted if both releases can work meanwhile: %s", async (sql) => {
  expect(await usual(sql)).toEqual([]);
});

test("a column becomes NOT NULL once an earlier migration has validated a check of it", async () => {
  const sql = "ALTER TABLE app.listing ALTER COLUMN name SET NOT NULL";
  expect(await usual(sql, "ALTER TABLE app.listing VALIDATE CONSTRAINT listing_name_not_null")).toEqual([]);
});

test.each([
  'CREATE INDEX IF NOT EXISTS "i" ON "app"."listing" ("a")',
  'CREATE INDEX CONCURRENTLY "i" ON "app"."listing" ("a")',
  'CREATE INDEX CONCURRENTLY IF NOT EXISTS "i" ON "listing" ("a")',
  'DROP INDEX CONCURRENTLY "app"."i"',
  "ALTER TABLE app.listing ADD COLUMN a int",
])("F40: a background migration is refused if it could not be repeated, or does more than indexes: %s", async (sql) => {
  expect(await background(sql)).toHaveLength(1);
});

test("a migration without a transaction has one statement", async () => {
  const inStretches = (sql: string) => refusalsOf({ sql, isBackground: false, isInStretches: true });
  expect(await inStretches("DO $$ BEGIN COMMIT; END $$")).toEqual([]);
  expect(await inStretches("SELECT 1; SELECT 2")).toHaveLength(1);
});
