import type pg from "pg";

interface Part {
  drop: string;
  make: string;
}

/**
 * Drops indexes and keys, and turns off triggers: to fill a table and index it afterwards is quicker, and rows come as they
 * were. Returns a function that puts all back.
 */
export async function setAside(client: pg.Client): Promise<() => Promise<void>> {
  const { rows: foreign } = await client.query<Part>(CONSTRAINTS, [["f"]]);
  const { rows: keys } = await client.query<Part>(CONSTRAINTS, [["p", "u"]]);
  const { rows: indexes } = await client.query<Part>(INDEXES);
  const { rows: triggers } = await client.query<Part>(TRIGGERS);
  const all = [...foreign, ...keys, ...indexes, ...triggers];
  for (const { drop } of all) await client.query(drop);
  return async () => {
    for (const { make } of [...keys, ...indexes, ...foreign, ...triggers]) await client.query(make);
  };
}

const CONSTRAINTS = `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
  FROM pg_constraint
 WHERE connamespace IN (to_regnamespace('app'), to_regnamespace('directory')) AND contype::text = ANY($1)
 ORDER BY conrelid, conname`;

const INDEXES = `SELECT format('DROP INDEX %s', indexrelid::regclass) AS drop, pg_get_indexdef(indexrelid) AS make
  FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
 WHERE t.relkind = 'r' AND t.relnamespace IN (to_regnamespace('app'), to_regnamespace('directory'))
   AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND contype IN ('p', 'u'))
 ORDER BY i.indrelid, i.indexrelid`;

const TRIGGERS = `SELECT DISTINCT format('ALTER TABLE %s DISABLE TRIGGER USER', tgrelid::regclass) AS drop,
    format('ALTER TABLE %s ENABLE TRIGGER USER', tgrelid::regclass) AS make
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
 WHERE NOT tgisinternal AND c.relnamespace IN (to_regnamespace('app'), to_regnamespace('directory'))`;
