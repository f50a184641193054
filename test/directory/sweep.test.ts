import { describe, expect, test } from "vitest";
import { sweepDirectory } from "../../src/directory/sweep.ts";
import { createLogger } from "../../src/http/logger.ts";
import { startHousekeeping } from "../../src/start/housekeeping.ts";
import { testDatabase } from "../support/database/database.ts";

const { database } = await testDatabase();
const { pool } = database;
const log = createLogger({ level: "silent" });

describe("housekeeping", () => {
  test("deletes expired rows in steps, however many, and no others", async () => {
    await pool.query(`
      CREATE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM gone) > 10000 THEN RAISE 'too many rows for one statement'; END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER refuse_many AFTER DELETE ON directory.rate_count REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`);
    await pool.query(`
      INSERT INTO directory.rate_count (subject, window_start, count)
      SELECT 'old ' || i, now() - interval '3 hours', 1 FROM generate_series(1, 12000) i
      UNION ALL SELECT 'of this hour', now(), 1`);
    await sweepDirectory(pool);
    const { rows } = await pool.query("SELECT subject FROM directory.rate_count");
    expect(rows).toEqual([{ subject: "of this hour" }]);
  });

  test("F16: does not delay the end of the process while places are gathered", async () => {
    const other = await pool.connect();
    await other.query("SELECT pg_advisory_lock(72707373)"); // another process gathers them
    await pool.query("DELETE FROM directory.setup_step WHERE name = 'places and streets'");
    const { stop } = startHousekeeping({ config: { roles: new Set(["directory"]) }, database, log });
    const waiting = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
    const begun = performance.now();
    await stop();
    expect(performance.now() - begun).toBeLessThan(3000);
    other.release(true);
  });
});
