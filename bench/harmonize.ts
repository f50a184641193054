// npm run bench -- harmonize [--rows 20k] [--venues 100k] [--data FOLDER]: two workers match a file of `rows` listings, compared
// with a plain loop of searches. Meanwhile it requests pages and matches a file of ten listings.
import { Agent } from "node:http";
import { setTimeout as after } from "node:timers/promises";
import { parseArgs } from "node:util";
import { receiveFile } from "../src/harmonize/file/receive.ts";
import { progressOf } from "../src/harmonize/results/progress.ts";
import { changeState, loadHarmonization } from "../src/harmonize/run/harmonizations.ts";
import { sendNext } from "../src/harmonize/run/next-tasks.ts";
import { type HarmonizeSite, withHarmonizeSite } from "./support/harmonize-site.ts";
import { ask, measureCalls } from "./support/latency.ts";
import { type ChosenListing, chooseListings } from "./support/listings.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { withScratch } from "./support/scratch.ts";
import { sizedDatabase, venuesOf } from "./support/sized.ts";

const [LOOP, PAGES, SMALL] = [1000, 200, 10];
const COLUMNS = { id: 0, name: 1, lat: 2, lng: 3, address: 4, phone: 5 };

export async function run(args: string[]): Promise<Tables> {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const options = { rows: text("20k"), venues: text("100k"), data: { type: "string" } } as const;
  const { values } = parseArgs({ args, options });
  const [rows, venues] = [countOf(values.rows), countOf(values.venues)];
  return withScratch(async (scratch) => {
    const sized = await sizedDatabase(scratch, venues, values.data);
    const listings = await chooseListings(venuesOf(venues, values.data), venues, rows);
    return withHarmonizeSite(sized, async (site) => {
      say("Measuring the plain loop, and pages on an idle server…");
      const loop = await plainLoop(site, listings.slice(0, LOOP));
      const quiet = await pages(site, async () => {});
      say(`Harmonizing ${listings.length} listings…`);
      let small = Number.NaN;
      const begun = performance.now();
      const id = await begin(site, "large.csv", listings);
      const busy = await pages(site, async () => {
        await untilDone(site, id, listings.length / 5);
        const at = performance.now();
        await untilDone(site, await begin(site, "small.csv", listings.slice(0, SMALL)), SMALL);
        small = (performance.now() - at) / 1000;
        await untilDone(site, id, listings.length);
      });
      const seconds = (performance.now() - begun) / 1000;
      const h = await loadHarmonization(site.deps, id);
      const counts = h && (await progressOf(site.deps, h)).counts;
      const perSecond = listings.length / seconds;
      return {
        [`${listings.length} listings over ${venues} venues, two workers`]: [
          { what: "one search at a time, listings per second", figure: loop },
          {
            what: "harmonized, listings per second (with reading the file and writing the results)",
            figure: perSecond,
          },
          { what: "ratio to the plain loop", figure: perSecond / loop },
          { what: "matched without review, share", figure: (counts?.matched ?? 0) / listings.length },
          { what: "failed", figure: counts?.failed ?? Number.NaN },
          { what: `seconds for a file of ${SMALL} started meanwhile`, figure: small },
          { what: "peak memory of a worker, MB", figure: site.workerMegabytes() },
          { what: "p99 of a page, ms", figure: busy },
          { what: "p99 of a page on an idle server, ms", figure: quiet },
        ] satisfies Row[],
      };
    });
  });
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
  while (!isOver || times.length < PAGES) {
    const begun = performance.now();
    await ask(`${appUrl}/`, agent);
    times.push(performance.now() - begun);
    await after(20);
  }
  await working;
  agent.destroy();
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

async function begin({ deps }: HarmonizeSite, name: string, listings: ChosenListing[]): Promise<string> {
  const bytes = (async function* () {
    yield Buffer.from(`${Object.keys(COLUMNS).join()}\n`);
    for (const [index, { name, lat, lng, address = "", phone = "" }] of listings.entries())
      yield Buffer.from(`${[index, name, lat, lng, address, phone].map(quoted).join()}\n`);
  })();
  const id = await receiveFile(deps, { accountId: null, name, bytes });
  await changeState(deps, id, ["draft"], { state: "reading", columns: COLUMNS, startedAt: new Date() });
  await sendNext(deps, id, "reading");
  return id;
}

const quoted = (cell: string | number) => `"${String(cell).replaceAll('"', '""')}"`;

async function untilDone({ deps }: HarmonizeSite, id: string, done: number): Promise<void> {
  for (;;) {
    const h = await loadHarmonization(deps, id);
    const progress = h && (await progressOf(deps, h));
    if (progress && progress.total > 0 && progress.done >= done) return;
    await after(100);
  }
}

function countOf(text: string): number {
  const [, number, thousands] = /^(\d+)(k?)$/i.exec(text.trim()) ?? [];
  if (!number) throw new Error(`--rows and --venues must be numbers such as 20k, not ${text}.`);
  return Number(number) * (thousands ? 1000 : 1);
}
