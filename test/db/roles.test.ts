import { afterAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { separatePrograms } from "../../src/db/roles.ts";
import { sweepDirectory } from "../../src/directory/sweep.ts";
import { renormalizeVenues } from "../../src/directory/venues/renormalize.ts";
import { analyzeListings } from "../../src/harmonize/run/analyze.ts";
import { sweepWeb } from "../../src/web/base/sweep.ts";
import { testDatabase } from "../support/database/database.ts";

describe("background work runs without owning a table", () => {
  it("when the directory gathers places, rewrites names and deletes expired rows", async () => {
    const sample = await testDatabase({ template: "sample" });
    const { pool } = open((await separatePrograms(sample.url)).directory);
    await sample.database.pool.query("UPDATE directory.normalization SET version = version - 1");
    await sample.database.pool.query("UPDATE directory.venue SET name_norm = 'old' WHERE name ILIKE '%coffee%'");
    expect(await renormalizeVenues(pool)).toBeGreaterThan(0);
    await sample.database.pool.query("TRUNCATE directory.place");
    await sweepDirectory(pool);
    const { rows } = await pool.query(
      `SELECT (SELECT count(*)::int FROM directory.place) AS places, (SELECT count(*)::int FROM directory.name_word
                WHERE word = 'coffee') AS words, last_analyze > now() - interval '1 minute' AS "isAnalyzed"
         FROM pg_stat_user_tables WHERE relid = 'directory.place'::regclass`,
    );
    expect(rows).toEqual([{ places: expect.any(Number), words: 1, isAnalyzed: true }]);
    expect(rows[0].places).toBeGreaterThan(10);
  });

  it("when the web app updates statistics, uses temporary tables and deletes expired rows", async () => {
    const urls = await separatePrograms((await testDatabase()).url);
    const app = open(urls.app);
    await analyzeListings(urls.app);
    const { rows } = await app.pool.query(
      "SELECT last_analyze IS NOT NULL AS done FROM pg_stat_user_tables WHERE relid = 'app.listing'::regclass",
    );
    expect(rows).toEqual([{ done: true }]);
    await app.pool.query("CREATE TEMP TABLE looked AS SELECT number FROM app.listing");
    await sweepWeb(app.pool);
  });
});

function open(address: string): Database {
  const database = openDatabase(address);
  afterAll(database.close);
  return database;
}
