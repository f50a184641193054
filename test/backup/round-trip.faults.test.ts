import type pg from "pg";
import { expect, test } from "vitest";
import { LEFT_OUT } from "../../src/backup/dump.ts";
import { migrate } from "../../src/db/migrate.ts";
import { testDatabase } from "../support/database/database.ts";
import { fillSealedRows } from "../support/database/sealed-rows.ts";
import { tableHashes } from "../support/database/table-hashes.ts";
import { backUp, KEY, restoreInto } from "./restored.ts";

const { url, database } = await testDatabase({ template: "sample" });
const { pool } = database;
await fillSealedRows(pool, [KEY], 50);
await pool.query(`
  INSERT INTO app.list (id, directory, name) VALUES ('0192f0c1-0000-7000-8000-000000000002', 'http://d', 'odd');
  INSERT INTO app.harmonization (list_id, id, directory, name, state, paused_for, columns, header)
    VALUES ('0192f0c1-0000-7000-8000-000000000002', '0192f0c1-0000-7000-8000-000000000001', 'http://d', E'odd \\\\ \t "name"\n', 'deleting', 'application', '{"a": null}',
            ARRAY['', 'a"b', NULL, '{}']);
  INSERT INTO app.listing (harmonization_id, number, line, cells, score, status, place)
    SELECT '0192f0c1-0000-7000-8000-000000000001', n, n, ARRAY['é', E'\\\\.', E'\\\\N', n::text], 1.0 / n, 'failed', -n
      FROM generate_series(1, 5000) n;
  INSERT INTO app.file_part
    VALUES ('0192f0c1-0000-7000-8000-000000000001', 1, decode(repeat('00ff5c0a', 200000), 'hex'));
`);
await pool.query("SELECT nextval('app.decision_step_id_seq') FROM generate_series(1, 41)");
await pool.query("REFRESH MATERIALIZED VIEW directory.name_word");
await pool.query(`INSERT INTO app.session (id_hash, data, expires_at) VALUES ('\\x01', '{}', 'infinity');
  INSERT INTO directory.session (id_hash, data, expires_at) VALUES ('\\x01', '{}', 'infinity')`);
const before = await tableHashes(pool, LEFT_OUT);
const plain = await restored();

/** Backs the database up and restores it into another. */
async function restored(key?: string) {
  const target = await testDatabase({ template: "none" });
  return { ...target, rows: await restoreInto(target.url, await backUp(url, key), key) };
}

test.each([
  ["plain", async () => plain],
  ["encrypted", () => restored(KEY)],
])("backup: a restored %s backup has every row of every table, and what is derived from them", async (_how, make) => {
  const { rows, ...target } = await make();
  expect(await tableHashes(target.database.pool, LEFT_OUT)).toEqual(before);
  expect(rows).toMatchObject({ "directory.venue": 15_266, "app.listing": 5000, "app.harmonization": 1 });
  expect(await migrate(target.url)).toEqual([]);
});

test("backup: a restored database has the indexes, keys, triggers and columns of a migrated one", async () => {
  expect(await catalogOf(plain.database.pool)).toEqual(await catalogOf(pool));
});

test("backup: sequences continue after the last number given out", async () => {
  const next = (name: string) => plain.database.pool.query(`SELECT nextval('${name}')::int AS next`);
  expect((await next("app.decision_step_id_seq")).rows).toEqual([{ next: 42 }]);
  expect((await next("directory.access_event_id_seq")).rows).toEqual([{ next: 1 }]);
});

test("backup: sessions, codes and the other tables that are left out exist, and are empty after a restore", async () => {
  const counts = LEFT_OUT.map((name) => `SELECT '${name}' AS name, count(*)::int AS rows FROM ${name}`).join(
    " UNION ALL ",
  );
  expect(LEFT_OUT).toEqual(
    expect.arrayContaining(["app.session", "directory.session", "directory.authorization_code"]),
  );
  const { rows } = await plain.database.pool.query(counts);
  expect(rows).toEqual(LEFT_OUT.map((name) => ({ name, rows: 0 })));
});

/** What a migration can make: all definitions as PostgreSQL words them. */
async function catalogOf(client: pg.Pool): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `WITH own AS (SELECT oid FROM pg_namespace WHERE nspname IN ('app', 'directory'))
     SELECT concat(pg_get_indexdef(indexrelid), i.indisvalid) AS line FROM pg_index i JOIN pg_class t ON t.oid = indrelid
      WHERE t.relnamespace IN (TABLE own)
     UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
       FROM pg_constraint WHERE connamespace IN (TABLE own)
     UNION ALL SELECT concat(pg_get_triggerdef(g.oid), tgenabled) FROM pg_trigger g JOIN pg_class t ON t.oid = tgrelid
      WHERE NOT tgisinternal AND t.relnamespace IN (TABLE own)
     UNION ALL SELECT concat_ws(' ', attrelid::regclass, attname, atttypid::regtype, attnotnull, attstattarget,
                                pg_get_expr(adbin, adrelid))
       FROM pg_attribute a JOIN pg_class t ON t.oid = attrelid LEFT JOIN pg_attrdef d ON (adrelid, adnum) = (attrelid, attnum)
      WHERE t.relkind = 'r' AND t.relnamespace IN (TABLE own) AND attnum > 0
     ORDER BY 1`,
  );
  return rows.map(({ line }) => line);
}
