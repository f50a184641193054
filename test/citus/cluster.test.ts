import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { distribute } from "../../src/db/citus/distribute.ts";
import { lookAtNodes } from "../../src/db/citus/nodes.ts";
import { connect } from "../../src/db/connections.ts";
import { openDatabase } from "../../src/db/database.ts";
import { separatePrograms } from "../../src/db/roles.ts";
import { addCheckin } from "../../src/directory/checkins.ts";
import { importVenues } from "../../src/directory/import/import-venues.ts";
import { sweepDirectory } from "../../src/directory/sweep.ts";
import { candidatesOf } from "../../src/directory/venues/candidates.ts";
import { findVenues } from "../../src/directory/venues/find.ts";
import { tileOf } from "../../src/directory/venues/tiles.ts";
import { createLogger } from "../../src/http/logger.ts";
import { startSamespot } from "../../src/main.ts";
import { randomId } from "../../src/shared/crypto.ts";
import { type ApiHost, apiHost, freshVenue } from "../directory/api/host.ts";
import { CITUS_URL } from "../support/database/citus.ts";
import { testDatabase } from "../support/database/database.ts";
import { collectLogs } from "../support/logs.ts";
import { PRODUCTION } from "../support/production.ts";
import { dataFolder, freeAddresses } from "../support/samespot.ts";

describe.skipIf(!CITUS_URL)("on a Citus cluster", async () => {
  const { url, database } = CITUS_URL
    ? await testDatabase({ template: "sample" })
    : ({} as Awaited<ReturnType<typeof testDatabase>>);
  const host = CITUS_URL ? await apiHost() : ({} as ApiHost);

  test("a match of a place asks one server", async () => {
    const { pool } = database;
    const plans: string[] = [];
    const query = async (config: pg.QueryConfig) => {
      if (config.name === "candidates") {
        const { rows } = await pool.query({ text: `EXPLAIN ${config.text}`, values: config.values ?? [] });
        plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
      }
      return pool.query(config);
    };
    const asking = Object.assign(Object.create(pool), { query }) as pg.Pool;
    const { noteDistributed } = await import("../../src/db/citus/distributed.ts");
    noteDistributed(asking);
    const middle = 0.5 * (3 / 16);
    const { rows } = await pool.query(
      "SELECT name, lat, lng FROM directory.venue WHERE tile = directory.venue_tile(point - point($1, $1)) AND tile = directory.venue_tile(point + point($1, $1)) LIMIT 1",
      [middle / 2],
    );
    await candidatesOf(asking, rows[0]);
    expect(plans).toEqual([expect.stringContaining("Task Count: 1\n")]);
  });

  test("an import that moves a venue to another server keeps its check-ins and its age", async () => {
    const { pool, prisma } = database;
    const folder = path.join(inject("run").folder, `citus-${randomId()}`);
    mkdirSync(folder, { recursive: true });
    const imported = async (lat: number) => {
      const file = path.join(folder, "moving.csv");
      writeFileSync(file, `id,name,lat,lng,city\nmoving1,Moving Theatre,${lat},20.5,Town\n`);
      const { imported, updated } = await importVenues({ ...database, file, keepIds: true, replace: false });
      return { imported, updated };
    };
    const find = async () => (await findVenues(pool, ["moving1"])).get("moving1");
    expect(await imported(10)).toEqual({ imported: 1, updated: 0 });
    const before = await find();
    const { id: userId } = await prisma.user.create({ data: { id: randomId(), handle: "mover", passwordHash: "-" } });
    const by = { userId, clientId: "none" };
    await addCheckin(
      { prisma },
      { by, venue: { id: "moving1", lat: 10, lng: 20.5, tile: tileOf({ lat: 10, lng: 20.5 }) } },
    );
    expect(await imported(12)).toEqual({ imported: 0, updated: 1 });
    expect(await find()).toEqual({ ...before, lat: 12, checkinsCount: 1, usersCount: 1 });
    const { rows } = await pool.query("SELECT tile FROM directory.venue WHERE id = 'moving1'");
    expect(rows).toEqual([{ tile: tileOf({ lat: 12, lng: 20.5 }) }]);
    expect(await imported(12)).toEqual({ imported: 0, updated: 0 });
  });

  test("each program has a role of its own, which reaches all servers, and housekeeping works with it", async () => {
    const urls = await separatePrograms(url);
    expect(urls.directory).not.toBe(urls.owner);
    const own = openDatabase(urls.directory, { patience: 60_000, isDistributed: urls.isDistributed });
    onTestFinished(own.close);
    const { rows } = await own.pool.query("SELECT current_user AS role, count(*)::int AS venues FROM directory.venue");
    expect(rows).toEqual([{ role: urls.roles?.directory, venues: expect.any(Number) }]);
    await own.pool.query("DELETE FROM directory.setup_step WHERE name = 'places'");
    await sweepDirectory(own.pool);
    const words = await own.pool.query("SELECT venues FROM directory.name_word WHERE word = 'coffee'");
    expect(words.rows[0].venues).toBeGreaterThan(10);
  });

  test("six adds of one venue at once: one is added and five are refused", async () => {
    const venue = freshVenue();
    const adds = Array.from({ length: 6 }, () => host.asUser("/v2/venues/add", venue));
    const statuses = (await Promise.all(adds)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await host.deps.prisma.venue.count({ where: { name: venue.name } })).toBe(1);
  });

  test("venues are not distributed twice, nor while Samespot is connected", async () => {
    const client = await connect({ connectionString: url, application_name: "test" });
    onTestFinished(() => client.end());
    await expect(distribute(client, 4)).rejects.toThrow("distributed already");
  });

  test("F42: /readyz names a node that does not answer, and venues of the others are still found", async () => {
    const addresses = await freeAddresses();
    const config = readConfig({
      ...PRODUCTION,
      ...addresses,
      DATABASE_URL: url,
      DATA_DIR: dataFolder(),
      SAMPLE_DATA: "off",
    });
    const samespot = await startSamespot(config, createLogger({ level: "trace", destination: collectLogs() }));
    onTestFinished(samespot.close);
    const ready = async () => (await fetch(`${addresses.BASE_URL}/readyz`)).json();
    const nodes = (await lookAtNodes(database.pool)).map(({ name }) => ({ name, answers: true }));
    await expect.poll(ready, { timeout: 20_000 }).toEqual({ status: "ready", problems: [], nodes });

    const admin = new pg.Client(url);
    await admin.connect();
    onTestFinished(() => admin.end());
    const { rows: known } = await database.pool.query(
      `SELECT name, lat, lng, tile FROM directory.venue
        WHERE tile = directory.venue_tile(point - point(0.03, 0.03)) AND tile = directory.venue_tile(point + point(0.03, 0.03))`,
    );
    const [lost] = (
      await admin.query(
        "SELECT nodeid, nodename, nodeport FROM pg_dist_node WHERE groupid <> 0 ORDER BY nodeid LIMIT 1",
      )
    ).rows;
    await admin.query("SELECT citus_update_node($1, $2, 1)", [lost.nodeid, lost.nodename]);
    onTestFinished(
      async () =>
        void (await admin.query("SELECT citus_update_node($1, $2, $3)", [lost.nodeid, lost.nodename, lost.nodeport])),
    );
    const silent = { name: `${lost.nodename}:1`, answers: false };
    const others = nodes.filter(({ name }) => name !== `${lost.nodename}:${lost.nodeport}`);
    const left = expect.arrayContaining([silent, ...others]);
    await expect.poll(ready, { timeout: 20_000 }).toMatchObject({ status: "ready", nodes: left });

    const { rows } = await admin.query<{ name: string; lat: number; lng: number; isLost: boolean }>(
      `SELECT DISTINCT ON (5) name, lat, lng, tile, (SELECT nodeport = 1 FROM pg_dist_shard_placement
              WHERE shardid = get_shard_id_for_distribution_column('directory.venue', tile)) AS "isLost"
         FROM json_to_recordset($1) AS v (name text, lat float8, lng float8, tile int)`,
      [JSON.stringify(known)],
    );
    for (const { isLost, ...listing } of rows) {
      const found = await candidatesOf(database.pool, listing).then(
        (venues) => venues.length > 0,
        () => "nothing",
      );
      expect({ isLost, found }).toEqual({ isLost, found: isLost ? "nothing" : true });
    }
    expect(rows.map(({ isLost }) => isLost).sort()).toEqual([false, true]);
  });
});
