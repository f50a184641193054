// npm run bench -- files [--megabytes 200] [--venues 20k]: memory that the web app and a worker add while a CSV file is uploaded,
// read, matched and exported in each format, after the same with two small files. Linux only (/proc).
import { parseArgs } from "node:util";
import type { HarmonizeSite } from "./support/harmonize-site.ts";
import { lasting } from "./support/lasting.ts";
import { type MemberSite, stateOf, until, withMemberSite } from "./support/member-site.ts";
import { csv, START } from "./support/million-rows.ts";
import { usageOf } from "./support/processes.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { withScratch } from "./support/scratch.ts";
import { countOf } from "./support/sized.ts";

const FORMATS = ["csv", "ndjson", "geojson", "parquet", "xlsx"];
const SMALL_MB = 4;
/** About a kilobyte a row. */
const NOTES = "x".repeat(900);
const SAMPLE_MS = 200;
const SOON = { everyMs: 100 };

export const SMALLEST = ["--megabytes", "1", "--venues", "1k"];

export async function run(args: string[]): Promise<Tables> {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const { values } = parseArgs({ args, options: { megabytes: text("200"), venues: text("20k") } });
  const [megabytes, venues] = [Number(values.megabytes), countOf(values.venues)];
  return withScratch((scratch) =>
    withMemberSite(scratch, { venues, most: venues }, async (bench) => {
      say("Two small files at once, so that no worker reads its first one later…");
      await Promise.all([life(bench, lasting(SMALL_MB)), life(bench, lasting(SMALL_MB))]);
      return { [`A CSV file of ${megabytes} MB, after two of ${SMALL_MB} MB`]: await life(bench, megabytes) };
    }),
  );
}

async function life(bench: MemberSite, megabytes: number): Promise<Row[]> {
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
  await timed("reading", () => until(async () => (await stateOf(bench, id)) !== "reading", SOON));
  await timed("matching", () => until(async () => (await stateOf(bench, id)) === "ready", SOON));
  for (const format of FORMATS)
    await timed(`export as ${format}`, async () => {
      const { bytes, polls } = await member.download(`${base}/export?format=${format}`);
      if (polls[0]?.status !== 200) throw new Error(`The export as ${format} returned ${polls[0]?.status}.`);
      say(`${Math.round(bytes / 1e6)} MB`);
    });
  return table;
}

/** Returns the seconds of `work`, those of the processors, and the most that the web app and the larger worker added to their memory meanwhile. */
async function growth({ processes }: HarmonizeSite, work: () => Promise<unknown>): Promise<Row> {
  const watched = processes.filter(({ isMany }) => !isMany);
  const before = watched.map(({ pid }) => usageOf(pid).megabytes);
  const cpuS = () => watched.reduce((sum, { pid }) => sum + usageOf(pid).cpuMs, 0) / 1000;
  const spent = cpuS();
  const most = [...before];
  const timer = setInterval(() => {
    for (const [index, { pid }] of watched.entries()) most[index] = Math.max(most[index] ?? 0, usageOf(pid).megabytes);
  }, SAMPLE_MS);
  const begun = performance.now();
  await work().finally(() => clearInterval(timer));
  const seconds = (performance.now() - begun) / 1000;
  const added = watched.map(({ name }, index) => [`${name}, MB added`, (most[index] ?? 0) - (before[index] ?? 0)]);
  return { seconds, "CPU s": cpuS() - spent, ...Object.fromEntries(added) };
}
