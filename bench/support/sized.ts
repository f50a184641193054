import path from "node:path";
import pg from "pg";
import { samespot } from "./programs.ts";
import { realVenues } from "./real-venues.ts";
import { say } from "./report.ts";
import type { Scratch } from "./scratch.ts";
import { type MadeVenue, makeVenues, writeVenues } from "./venues.ts";

/** The import source, from which venue ids are derived. */
export const SOURCE = "bench";

/** Reads numbers such as 20k and 1m. */
export function countOf(text: string): number {
  const [, number, unit = ""] = /^(\d+)([km]?)$/i.exec(text.trim()) ?? [];
  if (!number) throw new Error(`--rows and --venues must be numbers such as 20k or 1m, not ${text}.`);
  return Number(number) * ({ k: 1000, m: 1_000_000 }[unit.toLowerCase()] ?? 1);
}

/** Returns the first `rows` venues: real ones if `data` names a folder with scale/*.csv.gz, otherwise synthetic ones. */
export const venuesOf = (rows: number, data?: string): AsyncIterable<MadeVenue> =>
  data ? realVenues(data, rows) : makeVenues(rows);

/** Creates a database on the scratch server and imports `rows` venues. */
export async function sizedDatabase(scratch: Scratch, rows: number, data?: string): Promise<Scratch> {
  const url = new URL(scratch.url);
  url.pathname = `venues_${rows}`;
  await withClient(scratch.url, (client) => client.query(`CREATE DATABASE venues_${rows}`));
  const sized = { ...scratch, url: url.href };
  const file = path.join(scratch.folder, `${rows}.csv`);
  say(`Importing ${rows} venues…`);
  await writeVenues(file, venuesOf(rows, data));
  const { answer } = await samespot(sized, ["import", file, "--source", SOURCE]);
  if (answer.imported !== rows) throw new Error(`${answer.imported} of ${rows} venues were imported.`);
  return sized;
}

/** Copies the venues into a table with the tutorials' indexes, for tutorial-server.ts. */
export async function addTutorial({ url }: Scratch): Promise<void> {
  say("Building the tutorial's indexes…");
  await withClient(url, (client) =>
    client.query(`
      CREATE EXTENSION IF NOT EXISTS earthdistance CASCADE;
      CREATE TABLE tutorial AS SELECT * FROM directory.venue;
      CREATE INDEX ON tutorial USING gin (name gin_trgm_ops);
      CREATE INDEX ON tutorial USING gist (ll_to_earth(lat, lng));
      CREATE INDEX ON tutorial USING gist (point);
      ANALYZE tutorial`),
  );
}

/** Autovacuum and the checkpoint would come during the measurement, and the first searches would write what VACUUM does. */
export async function settle({ url }: Scratch): Promise<void> {
  await withClient(url, async (client) => {
    await client.query("VACUUM (ANALYZE)");
    await client.query("CHECKPOINT");
  });
}

/** In the ocean, far from all other venues. */
export const STACK = { lat: 0.5, lng: -30.5 };

/** Adds 20,000 venues named alike within 100 m. */
export async function addStack({ url }: Scratch): Promise<void> {
  await withClient(url, (client) =>
    client.query(`
      INSERT INTO directory.venue (id, name, name_norm, lat, lng, point)
      SELECT 'atm' || n, 'ATM ' || n, 'atm ' || n, lat, lng, point(lng, lat)
        FROM generate_series(1, 20000) n,
             LATERAL (SELECT ${STACK.lat} + n % 141 * 6e-6 AS lat, ${STACK.lng} + n / 141 * 6e-6 AS lng) place`),
  );
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  return work(client).finally(() => client.end());
}
