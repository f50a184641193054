import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { migrate, pendingInBackground } from "../../src/db/migrate.ts";
import { backUp, emptyDatabase, restoreInto } from "./restored.ts";

const MIGRATIONS = "prisma/migrations";
const BEFORE_CODES = "20261122223000_program_roles";

test("backup: one of an older schema is restored with that schema, and migrated like the database that it was made of", async () => {
  const older = mkdtempSync(path.join(tmpdir(), "samespot-older-"));
  for (const name of readdirSync(MIGRATIONS).filter((each) => each <= BEFORE_CODES))
    cpSync(path.join(MIGRATIONS, name), path.join(older, name), { recursive: true });
  const source = await emptyDatabase();
  await migrate(source.url, { folder: older });
  rmSync(older, { recursive: true });
  await source.database.pool.query(`
    INSERT INTO app.harmonization (id, directory, name, state)
      VALUES ('0192f0c1-0000-7000-8000-000000000001', 'http://d', 'old.csv', 'ready');
    INSERT INTO app.listing (harmonization_id, number, line, cells, status, problem) VALUES
      ('0192f0c1-0000-7000-8000-000000000001', 1, 2, '{a}', 'failed', '{"code": "x", "message": "The name is missing."}')`);

  const target = await emptyDatabase();
  await restoreInto(target.url, await backUp(source.url));
  const listings = async ({ database }: typeof target) => (await database.pool.query("SELECT * FROM app.listing")).rows;
  expect(await listings(target)).toEqual(await listings(source));
  const migrated = await migrate(target.url);
  const newer = readdirSync(MIGRATIONS).filter((name) => name > BEFORE_CODES && name.startsWith("2"));
  expect([...migrated, ...(await pendingInBackground(target.database.pool))].sort()).toEqual(newer);
  expect(await migrate(source.url)).toEqual(migrated);
  expect(await listings(target)).toEqual(await listings(source));
  expect(await listings(target)).not.toMatchObject([{ problem: { message: "The name is missing." } }]);
});
