// npm run bench -- against [--sizes 300x15k,3kx130k] [--data FOLDER]: `samespot harmonize LIST --against PLACES` on a machine with nothing
// but Node, from the command to the written file, first and again, beside the script for DuckDB and a plain loop. 100kx1m takes some minutes.
import { execFile } from "node:child_process";
import { createReadStream, mkdirSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseArgs, promisify } from "node:util";
import { venueId } from "../src/directory/import/venue-row.ts";
import { writeListings } from "./support/listing-files.ts";
import { chooseListings } from "./support/listings.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { withScratch } from "./support/scratch.ts";
import { countOf, SOURCE, venuesOf } from "./support/sized.ts";
import { type MadeVenue, writeVenues } from "./support/venues.ts";

const PROJECT = path.resolve(import.meta.dirname, "..");

export const SMALLEST = ["--sizes", "20x500"];

export async function run(args: string[]): Promise<Tables> {
  const options = { sizes: { type: "string", default: "300x15k,3kx130k" }, data: { type: "string" } } as const;
  const { sizes, data } = parseArgs({ args, options }).values;
  return withScratch(async ({ folder }) => {
    const tables: Tables = {};
    for (const size of sizes.split(",")) {
      const [rows = 0, venues = 0] = size.split("x").map(countOf);
      const files = await writeFiles(path.join(folder, size), { rows, venues, data });
      tables[`${rows} listings with a file of ${venues} places`] = await compared(files);
    }
    return tables;
  });
}

interface Files {
  folder: string;
  list: string;
  places: string;
}

async function writeFiles(
  folder: string,
  { rows, venues, data }: { rows: number; venues: number; data?: string | undefined },
) {
  mkdirSync(folder, { mode: 0o755 });
  const [list, places] = [path.join(folder, "list.csv"), path.join(folder, "places.csv")];
  await writeListings(list, await chooseListings(venuesOf(venues, data), venues, rows));
  await writeVenues(places, withIds(venuesOf(venues, data)));
  return { folder, list, places };
}

/** With the ids that the column `truth` of the list has. */
async function* withIds(venues: AsyncIterable<MadeVenue>): AsyncGenerator<MadeVenue> {
  for await (const venue of venues) yield { ...venue, id: venueId(SOURCE, venue.id) };
}

async function compared({ folder, list, places }: Files): Promise<Row[]> {
  const out = path.join(folder, "out.ndjson");
  const command = ["src/cli.ts", "harmonize", list, "--against", places, "-o", out, "--candidates", "--json"];
  const first = await timed("Samespot", command, folder);
  const again = await timed("Samespot again", command, folder);
  const [duckdb, loop] = [
    path.join(import.meta.dirname, "support/duckdb-peer.ts"),
    path.join(import.meta.dirname, "support/plain-loop.ts"),
  ];
  const peers = [
    { by: "script for DuckDB", ...(await timed("the script for DuckDB", [duckdb, places, list, folder], folder)) },
    { by: "plain loop", ...(await timed("the plain loop", [loop, places, list], folder)) },
  ];
  const row = (by: string, seconds: number, second: number | string, { listings, answered, right }: Found): Row => ({
    ...{ by, "first run, s": seconds, "second run, s": second },
    "right first, share": right / listings,
    "any place found, share": answered / listings,
  });
  return [
    row("samespot harmonize --against", first.seconds, again.seconds, await foundIn(out)),
    ...peers.map(({ by, seconds, said }) => row(by, seconds, "", JSON.parse(said) as Found)),
  ];
}

async function timed(what: string, args: string[], folder: string): Promise<{ seconds: number; said: string }> {
  say(`${what}…`);
  const env = { PATH: process.env.PATH, XDG_CACHE_HOME: folder };
  const begun = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PROJECT, env }).catch((error) => {
    if (error.code !== 1 || !error.stdout) throw error; // 1: some listings failed
    return error as { stdout: string };
  });
  return { seconds: (performance.now() - begun) / 1000, said: stdout };
}

interface Found {
  listings: number;
  answered: number;
  right: number;
}

async function foundIn(out: string): Promise<Found> {
  const found: Found = { listings: 0, answered: 0, right: 0 };
  for await (const line of createInterface({ input: createReadStream(out) })) {
    const { truth, candidate_1_id: best } = JSON.parse(line);
    found.listings += 1;
    if (best) found.answered += 1;
    if (best === truth) found.right += 1;
  }
  return found;
}
