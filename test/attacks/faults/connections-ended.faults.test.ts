import { writeFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { type Database, openDatabase } from "../../../src/db/database.ts";
import { takeUpKeys } from "../../../src/db/keys.ts";
import { migrate } from "../../../src/db/migrate.ts";
import { inTransaction } from "../../../src/db/transactions.ts";
import { isUnavailable } from "../../../src/db/unavailable.ts";
import { importVenues } from "../../../src/directory/import/import-venues.ts";
import { refreshStalePlaces } from "../../../src/directory/places/refresh.ts";
import { importSample } from "../../../src/directory/sample/import-sample.ts";
import { renormalizeVenues } from "../../../src/directory/venues/renormalize.ts";
import { readListings } from "../../../src/harmonize/file/read-listings.ts";
import { analyzeListings } from "../../../src/harmonize/run/analyze.ts";
import { createQueue } from "../../../src/harmonize/run/queue.ts";
import { createLogger } from "../../../src/http/logger.ts";
import { keysInRole, rotateKeys } from "../../../src/start/keys.ts";
import { prepareDirectory } from "../../../src/start/setup.ts";
import { withRotationLock } from "../../../src/web/client-secret/rotate.ts";
import { startFiles } from "../../harmonize/file/reader.ts";
import { testDatabase } from "../../support/database/database.ts";
import { collectEscaped } from "../../support/escaped.ts";
import { ENDS, type End, startEndingDatabase } from "../../support/outages/ending-database.ts";
import { PRODUCTION } from "../../support/production.ts";
import { roundsOf } from "../../support/rounds.ts";
import { dataFolder } from "../../support/samespot.ts";

const files = await startFiles();
const direct = files.database.pool;
const way = await startEndingDatabase(files.url);
const empty = await testDatabase({ template: "none" });
const emptyWay = await startEndingDatabase(empty.url);
const csv = `${dataFolder()}.csv`;
writeFileSync(
  csv,
  `id,name,lat,lng,city\n${Array.from({ length: 50 }, (_, n) => `${n},Cafe ${n},41,-71,Town\n`).join("")}`,
);
const config = readConfig({
  ...PRODUCTION,
  DATABASE_URL: way.url,
  DATA_DIR: dataFolder(),
  ENCRYPTION_KEYS: key("a"),
  SAMPLE_DATA: "off",
});
const log = createLogger({ level: "silent" });
afterAll(() => {
  way.close();
  emptyWay.close();
});

function key(letter: string): string {
  return Buffer.alloc(32, `${letter} key of a test`).toString("base64");
}

type Work = (database: Database) => Promise<unknown>;

const WORKS: Record<string, Work> = {
  "a start": async ({ pool }) => {
    await migrate(way.url);
    await takeUpKeys(pool, keysInRole(config));
    await prepareDirectory({ config, url: way.url, log });
  },
  "an import": (database) => importVenues({ ...database, file: csv, keepIds: false, replace: false }),
  "the gathering of places": async ({ pool }) => {
    await direct.query("DELETE FROM directory.setup_step WHERE name = 'places and streets'");
    await refreshStalePlaces(pool);
  },
  "the writing of normalized forms": async ({ pool }) => {
    await direct.query("UPDATE directory.normalization SET version = version - 1");
    await renormalizeVenues(pool);
  },
  "a rotation of keys": ({ pool }) => rotateKeys(config, pool, () => {}),
  "work of one process alone": () => withRotationLock({ harmonizer: { databaseUrl: way.url } }, () => after(1)),
  "a decision of many": ({ pool }) => inTransaction(pool, (client) => client.query("SELECT 1")),
  "the reading of a file": async (database) => {
    const uploaded = await files.upload("id,name,lat,lng\n1,Cafe,41,-71\n", { state: "reading" });
    const deps = { ...files.deps, ...database, databaseUrl: way.url };
    await readListings(deps, uploaded, { signal: new AbortController().signal });
  },
  "an analysis of the listings": () => analyzeListings(way.url),
  "the queue": async () => {
    const warn = () => {};
    const queue = createQueue(way.url, { directoryUrl: "http://directory.test", log: { warn }, supervises: true });
    const sent = queue.send({ kind: "match", harmonizationId: crypto.randomUUID() });
    await sent.finally(() => queue.close());
  },
};

/** Of the responses of one work each second is ended: every connection gets one as it opens, and one for each query. */
const STEP = roundsOf(1, 2);

/** The ends of one work: with whole rounds every response is ended both ways, otherwise they take turns. */
const [WITH, INSTEAD] = ENDS;
const HOWS = roundsOf(1, 0) ? [[WITH], [INSTEAD]] : [[WITH, INSTEAD]];

for (const hows of HOWS) {
  test.each(Object.entries(WORKS))(
    `F29: %s may fail where PostgreSQL ends a connection ${hows.join(" or ")}, but the process survives and a retry succeeds`,
    (_name, work) => endEach(way, work, hows),
  );

  test(`F29: the migrations can be run again after PostgreSQL ended a connection ${hows.join(" or ")}`, async () => {
    const { rows } = await empty.database.pool.query(
      "SELECT nspname FROM pg_namespace WHERE nspname IN ('app', 'directory')",
    );
    for (const { nspname } of rows) await empty.database.pool.query(`DROP SCHEMA ${nspname} CASCADE`);
    await empty.database.pool.query("DROP TABLE IF EXISTS public._prisma_migrations");
    await endEach(emptyWay, () => migrate(emptyWay.url), hows);
  });
}

test("F29: each sample venue is stored once, even when PostgreSQL ends the connections of the import", async () => {
  await direct.query("TRUNCATE directory.venue, directory.checkin, directory.link");
  await endEach(way, ({ prisma, pool }) => importSample({ prisma, pool, log: () => {} }), [WITH]);
  const { rows } = await direct.query("SELECT count(*)::int AS count FROM directory.venue");
  expect(rows[0].count).toBe(15_266);
});

/** Repeats `work`, ending one connection STEP responses later each time, until none is left to end. */
async function endEach(through: typeof way, work: Work, hows: readonly End[]): Promise<void> {
  const escaped = collectEscaped();
  let ends = 0;
  for (let isOver = false; !isOver; ends++) {
    const database = openDatabase(through.url, { patience: 60_000 });
    through.endAt(ends * STEP + 1, hows[ends % hows.length] ?? WITH);
    const error = await work(database).then(
      () => undefined,
      (reason: Error) => reason,
    );
    isOver = !(await through.hasEnded());
    await database.close();
    const isForeseen = error === undefined || (!isOver && [error, error.cause].some(isUnavailable));
    expect([ends + 1, isForeseen || error]).toEqual([ends + 1, true]);
  }
  await after(20);
  expect(escaped).toEqual([]);
  expect(ends).toBeGreaterThan(1);
}
