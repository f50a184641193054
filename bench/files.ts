// npm run bench -- files [--megabytes 200] [--venues 20k]: memory that the web app and a worker add while a CSV file is uploaded,
// read, matched and exported in each format, after the same with a small file. Linux only (/proc).
import { setTimeout as after } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { type HarmonizeSite, withHarmonizeSite } from "./support/harmonize-site.ts";
import { type ChosenListing, chooseListings } from "./support/listings.ts";
import { logIn, type Member } from "./support/member.ts";
import { csv, START } from "./support/million-rows.ts";
import { usageOf } from "./support/processes.ts";
import { samespot } from "./support/programs.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { withScratch } from "./support/scratch.ts";
import { countOf, sizedDatabase, venuesOf } from "./support/sized.ts";

const FORMATS = ["csv", "ndjson", "geojson", "parquet", "xlsx"];
const SMALL_MB = 4;
/** About a kilobyte a row. */
const NOTES = "x".repeat(900);
const SAMPLE_MS = 50;
const PASSWORD = "a password of some length";

export async function run(args: string[]): Promise<Tables> {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const { values } = parseArgs({ args, options: { megabytes: text("200"), venues: text("20k") } });
  const [megabytes, venues] = [Number(values.megabytes), countOf(values.venues)];
  return withScratch(async (scratch) => {
    const sized = await sizedDatabase(scratch, venues);
    await samespot(sized, ["user", "add", "--handle", "bench", "--password-stdin"], PASSWORD);
    const listings = await chooseListings(venuesOf(venues), venues, venues);
    const database = new pg.Pool({ connectionString: sized.url, max: 2 });
    return withHarmonizeSite(sized, async (site) => {
      const bench = { site, database, listings, member: await logIn(site, "bench", PASSWORD) };
      await life(bench, SMALL_MB);
      return { [`A CSV file of ${megabytes} MB, after one of ${SMALL_MB} MB`]: await life(bench, megabytes) };
    }).finally(() => database.end());
  });
}

interface Bench {
  site: HarmonizeSite;
  member: Member;
  database: pg.Pool;
  listings: ChosenListing[];
}

async function life(bench: Bench, megabytes: number): Promise<Row[]> {
  const { site, member } = bench;
  const table: Row[] = [];
  const timed = async (what: string, work: () => Promise<unknown>) => {
    say(`${megabytes} MB: ${what}…`);
    table.push({ what, ...(await growth(site, work)) });
  };
  let id = "";
  const lines = csv(bench.listings, megabytes * 1000, NOTES);
  await timed("upload", async () => {
    id = await member.upload("large.csv", lines);
  });
  const base = `/harmonizations/${id}`;
  await member.press(`${base}/columns`, START);
  await timed("reading", () => until(bench, id, (state) => state !== "reading"));
  await timed("matching", () => until(bench, id, (state) => state === "ready"));
  for (const format of FORMATS)
    await timed(`export as ${format}`, async () => {
      const { bytes, polls } = await member.download(`${base}/export?format=${format}`);
      if (polls[0]?.status !== 200) throw new Error(`The export as ${format} returned ${polls[0]?.status}.`);
      say(`${Math.round(bytes / 1e6)} MB`);
    });
  return table;
}

/** Returns the seconds of `work`, and the most that the web app and the larger worker added to their memory meanwhile. */
async function growth({ processes }: HarmonizeSite, work: () => Promise<unknown>): Promise<Row> {
  const watched = processes.filter(({ isMany }) => !isMany);
  const before = watched.map(({ pid }) => usageOf(pid).megabytes);
  const most = [...before];
  const timer = setInterval(() => {
    for (const [index, { pid }] of watched.entries()) most[index] = Math.max(most[index] ?? 0, usageOf(pid).megabytes);
  }, SAMPLE_MS);
  const begun = performance.now();
  await work().finally(() => clearInterval(timer));
  const seconds = (performance.now() - begun) / 1000;
  const added = watched.map(({ name }, index) => [`${name}, MB added`, (most[index] ?? 0) - (before[index] ?? 0)]);
  return { seconds, ...Object.fromEntries(added) };
}

async function until({ database }: Bench, id: string, isSo: (state: string) => boolean): Promise<void> {
  for (;;) {
    const { rows } = await database.query("SELECT state::text FROM app.harmonization WHERE id = $1", [id]);
    if (isSo(rows[0]?.state)) return;
    await after(100);
  }
}
