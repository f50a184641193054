import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeEach, inject } from "vitest";
import { openDatabase } from "../../../src/db/database.ts";
import { type ImportOptions, importVenues } from "../../../src/directory/import/import-venues.ts";
import { randomId } from "../../../src/shared/crypto.ts";
import { CITUS_URL } from "../../support/database/citus.ts";
import { testDatabase } from "../../support/database/database.ts";

/** Sets up a database without venues before each test, and a folder for files to import. */
export async function importing() {
  const { url } = await testDatabase();
  const database = openDatabase(url, { patience: 60_000, isDistributed: CITUS_URL !== undefined });
  afterAll(database.close);
  const folder = path.join(inject("run").folder, `import-${randomId()}`);
  mkdirSync(folder, { recursive: true });
  beforeEach(() =>
    database.pool.query(
      "TRUNCATE directory.venue, directory.checkin, directory.link, directory.moved_venue, directory.venue_change, directory.source",
    ),
  );

  function write(name: string, content: string | Buffer): string {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return file;
  }

  const run = (file: string, more: Partial<ImportOptions> = {}) =>
    importVenues({ ...database, file, keepIds: false, replace: false, ...more });

  const venues = async () =>
    (await database.pool.query("SELECT * FROM directory.venue ORDER BY name")).rows as Record<string, unknown>[];

  return { url, database, folder, write, run, venues };
}

export const HEADER = "id,name,lat,lng,city,phone,category\n";

export const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `${from + index},Cafe ${from + index},41.8,-71.4,Town,,\n`).join("");
