// npm run bench -- harmonize [--rows 20k] [--venues 100k] [--data FOLDER]: two workers match a file of `rows` listings, compared
// with a script for DuckDB and with a plain loop of searches. Meanwhile it requests pages and matches a file of ten listings.
import { createReadStream } from "node:fs";
import { Agent } from "node:http";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { parseArgs } from "node:util";
import { receiveFile } from "../src/harmonize/file/receive.ts";
import { progressOf } from "../src/harmonize/results/progress.ts";
import { changeState, loadHarmonization } from "../src/harmonize/run/harmonizations.ts";
import { sendNext } from "../src/harmonize/run/next-tasks.ts";
import { differFromSingle, type Result, resultOf, runPeer } from "./support/harmonize-result.ts";
import { type HarmonizeSite, withHarmonizeSite } from "./support/harmonize-site.ts";
import { lasting } from "./support/lasting.ts";
import { ask, measureCalls } from "./support/latency.ts";
import { COLUMNS, exportVenues, writeListings } from "./support/listing-files.ts";
import { type ChosenListing, chooseListings } from "./support/listings.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { withScratch } from "./support/scratch.ts";
import { countOf, sizedDatabase, venuesOf } from "./support/sized.ts";
import { type Used, watch } from "./support/watch.ts";

const [LOOP, PAGES, SMALL] = [1000, 200, 10];

export const SMALLEST = ["--rows", "300", "--venues", "2k"];

export async function run(args: string[]): Promise<Tables> {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const options = { rows: text("20k"), venues: text("100k"), data: { type: "string" } } as const;
  const { values } = parseArgs({ args, options });
  const [rows, venues] = [countOf(values.rows), countOf(values.venues)];
  return withScratch(async (scratch) => {
    const sized = await sizedDatabase(scratch, venues, values.data);
    const files = [path.join(scratch.folder, "large.csv"), path.join(scratch.folder, "small.csv")] as const;
    const [large, small] = files;
    const some = await writeFiles(files, await chooseListings(venuesOf(venues, values.data), venues, rows));
    say("Measuring the script for DuckDB…");
    const peer = await runPeer(scratch, await exportVenues(sized), large);
    return withHarmonizeSite(sized, async (site) => {
      say("Measuring the plain loop, and pages on an idle server…");
      const loop = await plainLoop(site, some);
      const quiet = await pages(site, async () => {});
      say(`Harmonizing ${peer.listings} listings…`);
      const over = watch(site.processes);
      const { id, reading, seconds, busy } = await harmonize(site, { large, small, rows: peer.listings });
      const used = over();
      say("Searching for some of them alone…");
      const { asked, different } = await differFromSingle(site, id, peer.listings);
      const ours = await resultOf(site, id, reading);
      return {
        [`${peer.listings} listings over ${venues} venues, two workers`]: compared(ours, used, peer),
        "What the processes used meanwhile": used.map(
          ({ name, cpuMs, start, end, peak }): Row => ({
            process: name,
            "CPU ms a listing": cpuMs / ours.listings,
            "MB at the start": start,
            "MB at the end": end,
            "MB at most": peak,
          }),
        ),
        "Beside it": [
          { what: "one search at a time, listings per second", figure: loop },
          { what: "harmonized, ratio to that", figure: perSecond(ours) / loop },
          { what: `of ${asked} searched for alone, with another best venue or score`, figure: different },
          { what: "failed", figure: ours.failed },
          { what: `seconds for a file of ${SMALL} started meanwhile`, figure: seconds },
          { what: "p99 of a page, ms", figure: busy },
          { what: "p99 of a page on an idle server, ms", figure: quiet },
        ],
      };
    });
  });
}

/** Returns listings for the plain loop. All of a million would fill the memory during the measurement. */
async function writeFiles([large, small]: readonly [string, string], listings: ChosenListing[]) {
  await writeListings(large, listings);
  await writeListings(small, listings.slice(0, SMALL));
  return listings.slice(0, LOOP);
}

const perSecond = ({ listings, reading, matching }: Omit<Result, "cpuMs">) => listings / (reading + matching);

function compared(
  ours: Awaited<ReturnType<typeof resultOf>>,
  used: Used[],
  peer: Awaited<ReturnType<typeof runPeer>>,
): Row[] {
  const cpuMs = used.reduce((sum, each) => sum + each.cpuMs, 0);
  const row = (what: string, Samespot: number, DuckDB: number | string = "") => ({ what, Samespot, DuckDB });
  return [
    row("listings per second, from the upload to the last outcome", perSecond(ours), perSecond(peer)),
    row("ratio to DuckDB", perSecond(ours) / perSecond(peer), 1),
    row("seconds of reading", ours.reading, peer.reading),
    row("seconds of matching", ours.matching, peer.matching),
    row("CPU ms a listing, all processes", cpuMs / ours.listings, peer.cpuMs / peer.listings),
    row("right venue first, share", ours.rightFirst, peer.rightFirst),
    row("any venue found, share", ours.answered, peer.answered),
    row("matched without review, share", ours.matched / ours.listings),
    row("of these right, share", ours.right / ours.matched),
    row("peak memory of the largest process, MB", Math.max(...used.map(({ peak }) => peak)), peer.megabytes),
  ];
}

/** Returns the large file's id and its seconds of reading, the seconds of the small one and the p99 of a page. */
async function harmonize(
  site: HarmonizeSite,
  { large, small, rows }: Record<"large" | "small", string> & { rows: number },
) {
  let [reading, seconds] = [Number.NaN, Number.NaN];
  const begun = performance.now();
  const id = await begin(site, large);
  const busy = await pages(site, async () => {
    await untilState(site, id, "matching");
    reading = (performance.now() - begun) / 1000;
    await untilMatched(site, id, rows / 5);
    const at = performance.now();
    const other = await begin(site, small);
    await untilState(site, other, "ready");
    seconds = (performance.now() - at) / 1000;
    await untilState(site, id, "ready");
  });
  return { id, reading, seconds, busy };
}

/** Returns listings per second. */
async function plainLoop({ baseUrl, credentials }: HarmonizeSite, listings: ChosenListing[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const call = async (index: number) => {
    const { name = "", lat, lng, address, phone } = listings[index] ?? {};
    const given = { name, ll: `${lat},${lng}`, ...(address && { address }), ...(phone && { phone }) };
    const parameters = new URLSearchParams({ ...credentials, intent: "match", ...given });
    await ask(`${baseUrl}/v2/venues/search?${parameters}`, agent);
    return () => {};
  };
  const { perSecond } = await measureCalls(listings.length, call, 1).finally(() => agent.destroy());
  return perSecond;
}

/** Returns the p99 in milliseconds of pages requested during the work, at least PAGES of them. */
async function pages({ appUrl }: HarmonizeSite, work: () => Promise<void>): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  while (!isOver || times.length < lasting(PAGES)) {
    const begun = performance.now();
    await ask(`${appUrl}/`, agent);
    times.push(performance.now() - begun);
    await after(lasting(100));
  }
  await working;
  agent.destroy();
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

async function begin({ deps }: HarmonizeSite, file: string): Promise<string> {
  const { signal } = new AbortController();
  const bytes = createReadStream(file);
  const id = await receiveFile(deps, { accountId: null, name: path.basename(file), bytes, signal });
  await changeState(deps, id, ["draft"], { state: "reading", columns: COLUMNS, startedAt: new Date() });
  await sendNext(deps, id, "reading");
  return id;
}
async function untilMatched({ deps }: HarmonizeSite, id: string, listings: number): Promise<void> {
  for (;;) {
    const h = await loadHarmonization(deps, id);
    if (h && (await progressOf(deps, h)).done >= listings) return;
    await after(500);
  }
}

/** Counts nothing, as that would take time from the workers. */
async function untilState({ deps }: HarmonizeSite, id: string, state: "matching" | "ready"): Promise<void> {
  for (;;) {
    const now = (await loadHarmonization(deps, id))?.state;
    if (now === state || now === "ready") return;
    await after(100);
  }
}
