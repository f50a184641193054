import type pg from "pg";
import { expect, test } from "vitest";
import { FORMER } from "../../src/db/former.ts";
import { HISTORY, migrate, pendingMigrations } from "../../src/db/migrate.ts";
import { FOLDER, migrationNames } from "../../src/db/migration-files.ts";
import { buildSchema } from "../../src/db/restoring.ts";
import { backUp, restoreInto } from "../backup/restored.ts";
import { testDatabase } from "../support/database/database.ts";

const TRIGGERS = ["code_reason", "code_annotation", "code_problem", "code_inserted_problem", "code_task", "code_trial"];
const ID = "0192f0c1-0000-7000-8000-000000000001";

test("F40: a database of the last schema before the first release becomes one of the first, with its rows, once", async () => {
  const fresh = await testDatabase();
  const { url, database } = await formerDatabase(FORMER.count);
  const { pool } = database;
  await expect(backUp(url)).rejects.toThrow("Back it up with the version that made it");
  const logged: string[] = [];
  const [, ...later] = await migrationNames(FOLDER);
  expect(await migrate(url, { log: (message) => logged.push(message) })).toEqual(later);
  expect(logged[0]).toContain("made before the first release");
  expect(await pendingMigrations(pool)).toEqual([]);
  expect(await schemaOf(pool)).toEqual(await schemaOf(fresh.database.pool));
  expect(await historyOf(pool)).toEqual(await historyOf(fresh.database.pool));
  const { rows } = await pool.query(
    "SELECT name, line, why, task->'report' AS report FROM app.listing JOIN app.harmonization ON id = harmonization_id",
  );
  expect(rows).toEqual([
    {
      name: "old.csv",
      line: 2,
      why: { code: "found_by_hand", said: [] },
      report: { added: 1, left: 2, held: 0, heldBack: 0 },
    },
  ]);
  expect(await migrate(url)).toEqual([]);

  const target = await testDatabase({ template: "none" });
  await restoreInto(target.url, await backUp(url));
  expect((await target.database.pool.query("SELECT line FROM app.listing")).rows).toEqual([{ line: 2 }]);
});

test("F40: an older database is refused with what to do, and stays as it was", async () => {
  const { url, database } = await formerDatabase(FORMER.count - 1);
  const [schema, history] = [await schemaOf(database.pool), await historyOf(database.pool)];
  await expect(migrate(url)).rejects.toThrow(`Start the last version that has the migration ${FORMER.last} on it once`);
  expect([await schemaOf(database.pool), await historyOf(database.pool)]).toEqual([schema, history]);
});

/** Like one that stands at so many of the former migrations, with a row of a file. */
async function formerDatabase(count: number) {
  const made = await testDatabase({ template: "none" });
  const client = await made.database.pool.connect();
  await client.query(HISTORY);
  await buildSchema(client, (await migrationNames(FOLDER)).slice(0, 1)).finally(() => client.release());
  await made.database.pool.query(`
    ALTER TABLE app.listing DROP CONSTRAINT listing_codes, ADD COLUMN reason TEXT, ADD COLUMN annotation_error TEXT,
      ADD COLUMN tries SMALLINT NOT NULL DEFAULT 0;
    ALTER TABLE app.listing ADD CONSTRAINT listing_codes CHECK (reason IS NULL AND annotation_error IS NULL);
    CREATE FUNCTION app.problem_in_code(jsonb) RETURNS jsonb LANGUAGE sql RETURN $1;
    CREATE FUNCTION app.reason_in_code(text, text) RETURNS jsonb LANGUAGE sql RETURN to_jsonb($1);
    CREATE FUNCTION app.task_in_code(jsonb) RETURNS jsonb LANGUAGE sql AS 'SELECT app.problem_in_code($1)';
    CREATE FUNCTION app.trial_in_code(jsonb) RETURNS jsonb LANGUAGE sql AS 'SELECT app.problem_in_code($1)';
    ${TRIGGERS.map(triggered).join("\n")}
    INSERT INTO app.harmonization (id, directory, name, state, task)
      VALUES ('${ID}', 'http://d', 'old.csv', 'ready', '{"kind": "add", "report": {"added": 1, "left": 2}}');
    INSERT INTO app.listing (harmonization_id, number, line, cells, why) VALUES ('${ID}', 1, 2, '{a}', '{"code": "found_by_hand"}');
    DELETE FROM _prisma_migrations`);
  await made.database.pool.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
       SELECT gen_random_uuid(), '', CASE n WHEN 1 THEN $1 WHEN $3 THEN $2 ELSE '20261123' || n END, now()
         FROM generate_series(1, $3::int) AS n`,
    [FORMER.first, count === FORMER.count ? FORMER.last : "20261126210100_holders_of_venues", count],
  );
  return made;
}

const triggered = (name: string) => `
    CREATE FUNCTION app.${name}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
    CREATE TRIGGER ${name} BEFORE UPDATE ON app.listing FOR EACH ROW EXECUTE FUNCTION app.${name}();`;

/** Columns, constraints, functions and triggers of both programs. */
async function schemaOf(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `WITH mine AS (SELECT oid FROM pg_namespace WHERE nspname IN ('app', 'directory'))
     SELECT concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull) AS line
       FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
      WHERE relnamespace IN (SELECT oid FROM mine) AND attnum > 0 AND NOT attisdropped
     UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
       FROM pg_constraint WHERE connamespace IN (SELECT oid FROM mine)
     UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace IN (SELECT oid FROM mine)
     UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
      WHERE relnamespace IN (SELECT oid FROM mine) AND NOT tgisinternal
     ORDER BY 1`,
  );
  return rows.map(({ line }) => line);
}

const historyOf = async (pool: pg.Pool) =>
  (await pool.query("SELECT migration_name, checksum FROM _prisma_migrations ORDER BY 1")).rows;
