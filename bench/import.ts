// npm run bench -- import [--rows 1m] [--queries 2k] [--rounds 1]: compares the import of synthetic venues with a bare
// COPY of the same rows into a table with the same indexes, then searches them. The same venues as Overture and Foursquare publish
// them (rows: whole thousands), and their next edition while searches run.
import path from "node:path";
import { parseArgs } from "node:util";
import { venueId } from "../src/directory/import/venue-row.ts";
import { bareCopy } from "./support/bare-copy.ts";
import { type Latency, measureLatency } from "./support/latency.ts";
import { measureReleases } from "./support/measure-releases.ts";
import { type Client, samespot, withConstantServer, withDirectory } from "./support/programs.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { type Scratch, withScratch } from "./support/scratch.ts";
import { countOf } from "./support/sized.ts";
import { chance, type MadeVenue, makeVenues, writeVenues } from "./support/venues.ts";

const CONNECTIONS = 8;
const SOURCE = "bench";

export const SMALLEST = ["--rows", "2k", "--queries", "50"];

export async function run(args: string[]): Promise<Tables> {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const options = { rows: text("1m"), queries: text("2k"), rounds: text("1") };
  const { values } = parseArgs({ args, options });
  const [rows, queries, rounds] = [countOf(values.rows), countOf(values.queries), countOf(values.rounds)];
  return withScratch(async (scratch) => {
    const file = path.join(scratch.folder, "venues.csv");
    say(`Making ${rows} venues…`);
    await writeVenues(file, makeVenues(rows));
    const imports: Row[] = [];
    for (let round = 1; round <= rounds; round++) imports.push(await measureImport(scratch, file, { rows, round }));
    const listings = await chosenVenues(rows, queries);
    const searches = await withDirectory(scratch, (client) => measureSearches(client, listings));
    const { first, next } = await measureReleases(scratch, file, rows);
    return {
      "Import against bare COPY": imports,
      "First edition of a release, against bare COPY": first,
      "Next edition, with searches": next,
      [`Searches over ${rows} venues, ${CONNECTIONS} at a time`]: searches,
    };
  });
}

async function measureImport(scratch: Scratch, file: string, { rows, round }: { rows: number; round: number }) {
  say(`Importing (round ${round})…`);
  const { answer, seconds, megabytes } = await samespot(scratch, ["import", file, "--source", SOURCE, "--replace"]);
  if (answer.imported !== rows) throw new Error(`${answer.imported} of ${rows} venues were imported.`);
  say("Copying the same rows…");
  const bare = await bareCopy(scratch);
  return {
    round,
    rows,
    "import s": seconds,
    "rows/s": rows / seconds,
    "peak MB": megabytes,
    "COPY s": bare,
    "COPY rows/s": rows / bare,
    ratio: bare / seconds,
  };
}

/** Chooses `count` imported venues at even distances. */
async function chosenVenues(rows: number, count: number): Promise<MadeVenue[]> {
  const step = Math.max(1, Math.floor(rows / count));
  const chosen: MadeVenue[] = [];
  let index = 0;
  for await (const venue of makeVenues(rows)) if (index++ % step === 0) chosen.push(venue);
  return chosen.slice(0, count);
}

async function measureSearches({ baseUrl, credentials }: Client, venues: MadeVenue[]): Promise<Row[]> {
  const urls = (parameters: (venue: MadeVenue, index: number) => Record<string, string>) =>
    venues.map((venue, index) => {
      const query = new URLSearchParams({ ...parameters(venue, index), ...credentials });
      return `${baseUrl}/v2/venues/search?${query}`;
    });
  const options = { connections: CONNECTIONS };
  say("Searching…");
  const constant = await withConstantServer((url) =>
    measureLatency(
      venues.map(() => `${url}/`),
      options,
    ),
  );
  let right = 0;
  const check = (body: string, index: number) => {
    if (JSON.parse(body).response.venues[0]?.id === venueId(SOURCE, venues[index]?.id ?? "")) right += 1;
  };
  const match = await measureLatency(urls(listingOf), { ...options, check });
  const near = await measureLatency(
    urls(({ lat, lng }) => ({ ll: `${lat},${lng}` })),
    options,
  );
  const text = await measureLatency(
    urls(({ lat, lng, name }) => ({ ll: `${lat},${lng}`, query: longestWord(name) })),
    options,
  );
  const row = (search: string, latency: Latency, more: Row = {}): Row => ({
    search,
    "p50 ms": latency.p50,
    "p99 ms": latency.p99,
    "per second": latency.perSecond,
    ratio: latency.perSecond / constant.perSecond,
    "right first": "",
    ...more,
  });
  return [
    row("constant response (limit)", constant),
    row("match a listing", match, { "right first": `${((100 * right) / venues.length).toFixed(1)} %` }),
    row("30 nearest", near),
    row("text", text),
  ];
}

/** Returns the venue as another list has it: one letter missing, up to 100 m away, two of three without the street. */
function listingOf({ name, lat, lng, address }: MadeVenue, index: number): Record<string, string> {
  const lost = 1 + chance(Math.max(1, name.length - 1), index, 1);
  const moved = (degrees: number, seed: number) => (degrees + (chance(2000, index, seed) - 1000) / 1e6).toFixed(6);
  return {
    intent: "match",
    name: name.slice(0, lost) + name.slice(lost + 1),
    ll: `${moved(lat, 2)},${moved(lng, 3)}`,
    ...(index % 3 === 0 && address !== "" && { address }),
  };
}

const longestWord = (name: string) => name.split(" ").reduce((a, b) => (b.length > a.length ? b : a), "");
