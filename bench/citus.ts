// TEST_CITUS_URL=… npm run bench -- citus [--data FOLDER] [--venues 100k] [--calls 300] [--only WORDS]: what calls cost by how many
// nodes of a cluster they ask (docs/operations.md, "Citus"), each in turn with one table on the coordinator's server. Uses the
// venues of FOLDER/scale/*.csv.gz; without --data synthetic ones.
import path from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { type Database, openDatabase } from "../src/db/database.ts";
import { migrate } from "../src/db/migrate.ts";
import { importVenues } from "../src/directory/import/import-venues.ts";
import { CITUS_URL, createOnCitus, dropOnCitus } from "../test/support/citus.ts";
import { type Known, type Reach, reachesOf } from "./support/reaches.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { withScratch } from "./support/scratch.ts";
import { countOf, venuesOf } from "./support/sized.ts";
import { writeVenues } from "./support/venues.ts";

/** Venues that listings are made of. */
const CHOSEN = 20_000;
/** The default of `samespot database distribute`. */
const SHARDS = 32;

export async function run(args: string[]): Promise<Tables> {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const options = { data: { type: "string" }, venues: text("100k"), calls: text("300"), only: text("") } as const;
  const { data, venues, calls, only } = parseArgs({ args, options }).values;
  if (!CITUS_URL) throw new Error('Set TEST_CITUS_URL to the coordinator of a cluster (docs/operations.md, "Citus").');
  return withScratch(({ folder }) =>
    withBoth(async (one, several) => {
      const file = path.join(folder, "venues.csv");
      await writeVenues(file, venuesOf(countOf(venues), data));
      for (const database of [one, several]) {
        say("Importing…");
        await importVenues({ ...database, file, keepIds: false, replace: false, source: "bench" });
      }
      const known = await chooseKnown(one);
      const rows: Row[] = [];
      for (const reach of reachesOf(known).filter(({ what }) => what.includes(only)))
        rows.push(await compare(reach, known, { one, several, calls: Number(calls) }));
      return { [`${venues} venues, in milliseconds`]: rows };
    }),
  );
}

async function withBoth<R>(work: (one: Database, several: Database) => Promise<R>): Promise<R> {
  const [plain, cluster] = [`bench_one_${process.pid}`, `bench_several_${process.pid}`];
  const admin = new pg.Client(CITUS_URL);
  await admin.connect();
  await admin.query(`CREATE DATABASE ${plain}`);
  const url = new URL(CITUS_URL ?? "");
  url.pathname = plain;
  await migrate(url.href);
  const one = openDatabase(url.href, { patience: 120_000 });
  const several = openDatabase(await createOnCitus(cluster, SHARDS), { patience: 120_000, isDistributed: true });
  return work(one, several).finally(async () => {
    await Promise.all([one.close(), several.close()]);
    await dropOnCitus(cluster);
    await admin.query(`DROP DATABASE ${plain} WITH (FORCE)`);
    await admin.end();
  });
}

async function chooseKnown({ pool }: Database): Promise<Known[]> {
  const { rows } = await pool.query<Known>(
    `SELECT id, name, lat, lng, phone, directory.venue_tile(point - point(0.03, 0.03)) = directory.venue_tile(point + point(0.03, 0.03))
            AND directory.venue_tile(point - point(0.03, -0.03)) = directory.venue_tile(point + point(0.03, -0.03)) AS "isInside"
       FROM directory.venue ORDER BY hashtext(id), id LIMIT ${CHOSEN}`,
  );
  return rows;
}

interface Both {
  one: Database;
  several: Database;
  calls: number;
}

async function compare({ what, asks, of, share = 1, call }: Reach, known: Known[], both: Both): Promise<Row> {
  say(`${what}…`);
  const chosen = of ? known.filter(of) : known;
  const count = Math.max(5, Math.round(both.calls * share));
  const times: Record<"one" | "several", number[]> = { one: [], several: [] };
  let same = 0;
  for (let at = -Math.floor(count / 5); at < count; at++) {
    const answers: Record<string, string> = {};
    for (const which of at % 2 ? (["one", "several"] as const) : (["several", "one"] as const)) {
      const begun = performance.now();
      const answer = await call(
        both[which],
        chosen[(at + count) % chosen.length] as Known,
        at + count,
      );
      if (at >= 0) times[which].push(performance.now() - begun); // the first are a warm-up
      answers[which] = JSON.stringify(answer);
    }
    if (at >= 0) same += Number(answers.one === answers.several);
  }
  const [one, several] = [spread(times.one), spread(times.several)];
  const figures = { "one p50": one.p50, "one p95": one.p95, "Citus p50": several.p50, "Citus p95": several.p95 };
  return { call: what, asks, calls: times.one.length, ...figures, ratio: several.p50 / one.p50, "same answers": same };
}

function spread(times: number[]): { p50: number; p95: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}
