import { PassThrough } from "node:stream";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../../src/db/database.ts";
import { LOCKS } from "../../../src/db/locks.ts";
import { venueColumns } from "../../../src/directory/venues/columns.ts";
import { noteNormalization, renormalizeVenues } from "../../../src/directory/venues/renormalize.ts";
import { createLogger } from "../../../src/http/logger.ts";
import { NORMALIZATION } from "../../../src/matching/normalize/normalize.ts";
import { startHousekeeping } from "../../../src/start/housekeeping.ts";
import { spawnCommand } from "../../cli/samespot-command.ts";
import { CITUS_URL } from "../../support/database/citus.ts";
import { testDatabase } from "../../support/database/database.ts";
import { dataFolder } from "../../support/samespot.ts";

const { url, database } = await testDatabase();
const { pool } = database;
const filling = openDatabase(url, { patience: 60_000, isDistributed: CITUS_URL !== undefined });
afterAll(filling.close);

const stateOf = async () =>
  (await pool.query('SELECT version, target, written_to AS "writtenTo" FROM directory.normalization')).rows[0];

/** Stores `count` venues with derived columns of another NORMALIZATION. */
async function fill(venues: number, version = NORMALIZATION - 1): Promise<void> {
  await pool.query("TRUNCATE directory.venue, directory.checkin, directory.link");
  await pool.query("UPDATE directory.normalization SET version = $1, target = NULL, written_to = NULL", [version]);
  await filling.pool.query(
    `INSERT INTO directory.venue (id, name, name_norm, lat, lng, point, phone, phone_norm, tile)
     SELECT 'v' || n, 'CafÃ© ' || n, 'old ' || n, 41, -71, point(-71 + n % 100, 45), '+1 401 274 ' || 1000 + n % 9000, 'old',
            directory.venue_tile(point(-71 + n % 100, 45))
       FROM generate_series(1, $1::int) n`,
    [venues],
  );
}

/** Returns the ids of venues whose derived columns are not up to date. */
async function wrong(): Promise<string[]> {
  const { rows } = await pool.query("SELECT id, name, lat, lng, phone, name_norm, phone_norm FROM directory.venue");
  return rows.flatMap((row) => {
    const { nameNorm, phoneNorm } = venueColumns(row);
    return nameNorm === row.name_norm && phoneNorm === row.phone_norm ? [] : row.id;
  });
}

const until = async (condition: () => Promise<boolean>) => {
  while (!(await condition())) await after(5);
};

beforeEach(() => fill(2500));

test("a start rewrites venue names of an older form, and resumes where a killed start stopped", async () => {
  const VENUES = 10_000;
  await fill(VENUES);
  await pool.query("INSERT INTO directory.setup_step (name) VALUES ('places and streets') ON CONFLICT DO NOTHING");
  const migrating = spawnCommand({ DATABASE_URL: url, DATA_DIR: dataFolder() }, ["migrate"]);
  await until(async () => (await stateOf()).writtenTo !== null);
  migrating.kill("SIGKILL");
  await migrating.ended;
  await until(async () => {
    const others =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND backend_type = 'client backend'";
    return (await pool.query(others)).rowCount === 0; // its last batch is over
  });
  const { writtenTo } = await stateOf();
  const left = await wrong();
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThan(VENUES);
  expect((await pool.query("SELECT FROM directory.setup_step WHERE name = 'places and streets'")).rowCount).toBe(0);

  await pool.query("UPDATE directory.venue SET name_norm = 'done before' WHERE id = $1", [writtenTo]);
  const log = createLogger({ level: "fatal", destination: new PassThrough().resume() });
  const housekeeping = startHousekeeping({ config: { roles: new Set(["directory"]) }, database, log });
  await until(async () => (await stateOf()).version === NORMALIZATION);
  await housekeeping.stop();
  expect(await wrong()).toEqual([writtenTo]); // it did not begin anew
  expect(await stateOf()).toEqual({ version: NORMALIZATION, target: null, writtenTo: null });
});

test("samespot migrate also rewrites venue names of an older form, and then finds nothing to do", async () => {
  const { stdout } = await spawnCommand({ DATABASE_URL: url, DATA_DIR: dataFolder() }, ["migrate", "--json"]).ended;
  expect(JSON.parse(stdout)).toEqual({ applied: [], venues_renormalized: 2500 });
  expect(await wrong()).toEqual([]);
  expect(await renormalizeVenues(pool)).toBe(0);
});

test("two concurrent rewrites write each venue name once", async () => {
  const both = await Promise.all([1, 2].map(() => renormalizeVenues(pool, { waits: true })));
  expect(both.reduce((sum, one) => sum + one)).toBe(2500);
  expect(await wrong()).toEqual([]);
});

test("an import takes precedence over the rewriting of venue names", async () => {
  const client = await pool.connect();
  await client.query("SELECT pg_advisory_lock($1)", [LOCKS.import]);
  expect(await renormalizeVenues(pool)).toBe(0);
  expect((await stateOf()).version).toBe(NORMALIZATION - 1);
  client.release(true);
  await until(async () => (await renormalizeVenues(pool)) > 0);
  expect(await wrong()).toEqual([]);
});

test("an upgrade during the rewriting of venue names restarts it", async () => {
  await pool.query("UPDATE directory.normalization SET version = 0, target = $1, written_to = 'v2'", [
    NORMALIZATION - 1,
  ]);
  await renormalizeVenues(pool);
  expect(await wrong()).toEqual([]);
});

test("an empty directory is recorded as rewritten, and one written by a newer program as mixed", async () => {
  await noteNormalization(pool);
  expect(await stateOf()).toMatchObject({ version: NORMALIZATION - 1 });
  await pool.query("UPDATE directory.normalization SET target = $1, written_to = 'v2'", [NORMALIZATION + 1]);
  await noteNormalization(pool);
  expect(await stateOf()).toEqual({ version: NORMALIZATION - 1, target: null, writtenTo: null });
  await fill(1, NORMALIZATION + 1);
  await noteNormalization(pool);
  expect(await stateOf()).toMatchObject({ version: NORMALIZATION });
  await fill(0);
  await noteNormalization(pool);
  expect(await stateOf()).toMatchObject({ version: NORMALIZATION });
});
