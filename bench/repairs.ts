// npm run bench -- repairs [--rows 100k]: how long the rows of a finished file take to be brought in line with a repair that changes all of
// them, and with its undo, beside one bare UPDATE of as many rows. Nobody matches meanwhile. One row in ten is decided by a person.
import { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { type Database, openDatabase } from "../src/db/database.ts";
import { migrate } from "../src/db/migrate.ts";
import { readListings } from "../src/harmonize/file/read-listings.ts";
import { receiveFile } from "../src/harmonize/file/receive.ts";
import { applyRepairs } from "../src/harmonize/repairs/apply.ts";
import { addRepairs, undoRepair } from "../src/harmonize/repairs/change.ts";
import type { Harmonizer } from "../src/harmonize/run/deps.ts";
import { type Harmonization, loadHarmonization } from "../src/harmonize/run/harmonizations.ts";
import type { RowRepair } from "../src/harmonize/run/row-repairs.ts";
import { FILE_LIMITS } from "../src/shared/file-limits.ts";
import { COLUMNS } from "./support/listing-files.ts";
import { chooseListings } from "./support/listings.ts";
import { csv } from "./support/million-rows.ts";
import { postmaster, usageOf } from "./support/processes.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { withScratch } from "./support/scratch.ts";
import { countOf, venuesOf } from "./support/sized.ts";

export const SMALLEST = ["--rows", "1k"];

const REPAIR: RowRepair = { kind: "set", field: "address", value: "1 Main Street" };
const { signal } = new AbortController();

export async function run(args: string[]): Promise<Tables> {
  const { values } = parseArgs({ args, options: { rows: { type: "string", default: "100k" } } });
  const rows = countOf(values.rows);
  return withScratch(async ({ url }) => {
    await migrate(url);
    const database = openDatabase(url, { patience: 600_000 });
    const queue = { send: async () => {} };
    const deps = { ...database, databaseUrl: url, directoryUrl: "http://directory.test", queue, limits: FILE_LIMITS };
    const account = { directory: deps.directoryUrl, externalId: "bench" };
    const { id: person } = await database.prisma.account.create({ data: account });
    const bench = { database, deps: deps as unknown as Harmonizer, rows, person };
    const table = await measured(bench).finally(database.close);
    return { [`${rows} rows of a finished file, of which a repair changes all`]: table };
  });
}

interface Bench {
  database: Database;
  deps: Harmonizer;
  rows: number;
  /** Id of the account that decides and repairs. */
  person: string;
}

async function measured(bench: Bench): Promise<Row[]> {
  const { database, deps, person } = bench;
  const processes = [process.pid, await postmaster(database.pool)];
  const cpuSeconds = () => processes.reduce((sum, pid) => sum + usageOf(pid).cpuMs, 0) / 1000;
  const [bare, repaired] = [await finished(bench), await finished(bench)];
  const table: Row[] = [];
  const timed = async (what: string, work: () => Promise<unknown>) => {
    say(`${what}…`);
    await database.pool.query("CHECKPOINT");
    const [begun, before] = [performance.now(), cpuSeconds()];
    await work();
    const [seconds, cpu] = [(performance.now() - begun) / 1000, cpuSeconds() - before];
    const ratio = (name: string, to: number) => to / Number(table[0]?.[name] ?? to);
    table.push({ what, seconds, ratio: ratio("seconds", seconds), "CPU s": cpu, "ratio of CPU": ratio("CPU s", cpu) });
  };
  await timed("a bare UPDATE", () => database.pool.query(BARE, [bare.id]));
  const [kept] = await addRepairs(deps, repaired, person, [REPAIR]);
  await timed("a repair", async () => applyRepairs(deps, await loaded(bench, repaired), { signal }));
  await fillIn(bench, repaired.id);
  await undoRepair(deps, await loaded(bench, repaired), person, kept?.id ?? "");
  await timed("its undo", async () => applyRepairs(deps, await loaded(bench, repaired), { signal }));
  return table;
}

const BARE = `UPDATE app.listing SET query = query || '{"address": "1 Main Street"}', status = 'pending', matched_at = NULL, score = NULL,
  is_clear = false, best_id = NULL, candidates = '[]', pattern = NULL, decision = NULL, decided_by = NULL, decided_at = NULL, venue_id = NULL
  WHERE harmonization_id = $1`;

async function loaded({ deps }: Bench, { id }: { id: string }): Promise<Harmonization> {
  const h = await loadHarmonization(deps, id);
  if (!h) throw new Error("The file is gone.");
  return h;
}

/** A file that is read and matched. */
async function finished(bench: Bench): Promise<Harmonization> {
  const { deps, database, rows } = bench;
  say(`Reading ${rows} rows…`);
  const lines = csv(await chooseListings(venuesOf(rows), rows, rows), rows);
  const bytes = Readable.from(lines).map((line: string) => Buffer.from(line));
  const id = await receiveFile(deps, { accountId: null, name: "rows.csv", bytes, signal });
  await database.prisma.harmonization.update({ where: { id }, data: { state: "reading", columns: COLUMNS } });
  await readListings(deps, await loaded(bench, { id }), { signal });
  await fillIn(bench, id);
  return loaded(bench, { id });
}

/** As if all rows had been matched, and a person had decided one in ten. */
async function fillIn({ database: { pool }, person }: Bench, id: string): Promise<void> {
  const candidate = {
    id: "",
    name: "Corner Market and Deli",
    address: "12 Long Street",
    score: 0.93,
    evidence: EVIDENCE,
  };
  await pool.query(
    `UPDATE app.listing SET status = 'asked', score = 0.93, is_clear = number % 3 > 0, best_id = 'v' || number, pattern = 'name' || number % 40,
            candidates = jsonb_build_array($2::jsonb || jsonb_build_object('id', 'v' || number), $2::jsonb, $2::jsonb), matched_at = now()
      WHERE harmonization_id = $1`,
    [id, candidate],
  );
  await pool.query(
    `UPDATE app.listing SET decision = 'matched', venue_id = best_id, venue_name = 'Corner Market and Deli', decided_how = 'person',
            decided_by = $2, decided_at = now() WHERE harmonization_id = $1 AND number % 10 = 0 AND decision IS NULL`,
    [id, person],
  );
  await pool.query("DELETE FROM app.portion");
  await pool.query("UPDATE app.harmonization SET state = 'ready', is_retrying = false WHERE id = $1", [id]);
  await pool.query("VACUUM ANALYZE app.listing");
}

const EVIDENCE = ["name", "distance", "phone", "address"].map((comparison) => ({
  ...{ comparison, speaks: "for", weight: 4.2, text: `The ${comparison} is nearly the same, as the two say it` },
}));
