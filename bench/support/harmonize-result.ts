import { execFile } from "node:child_process";
import { Agent } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { venueSearchResponse } from "../../src/contract/resources.ts";
import { foundVenues, listingParameters } from "../../src/directory-client/match-listings.ts";
import { assess } from "../../src/harmonize/run/candidates.ts";
import { asListing, MATCHED_VENUE, MOST_CANDIDATES, OUTCOME, type Query } from "../../src/harmonize/run/rows.ts";
import { WORTH_A_LOOK } from "../../src/matching/decide.ts";
import type { HarmonizeSite } from "./harmonize-site.ts";
import { ask } from "./latency.ts";
import { TRUTH } from "./listing-files.ts";
import type { Scratch } from "./scratch.ts";

export interface Result {
  listings: number;
  /** Seconds. */
  reading: number;
  matching: number;
  /** Shares of all listings. */
  answered: number;
  rightFirst: number;
  cpuMs: number;
}

/** Runs duckdb-peer.ts in its own process. */
export async function runPeer({ folder }: Scratch, venues: string, listings: string) {
  const peer = path.join(import.meta.dirname, "duckdb-peer.ts");
  const options = { env: { PATH: process.env.PATH } };
  const { stdout } = await promisify(execFile)(process.execPath, [peer, venues, listings, folder], options);
  const { answered, right, ...rest } = JSON.parse(stdout) as { answered: number; right: number } & Result;
  const shares = { answered: answered / rest.listings, rightFirst: right / rest.listings };
  return { ...rest, ...shares } as Result & { megabytes: number };
}

/** The clock runs from the upload's first byte to the last listing's outcome; the first `reading` seconds are the file's. */
export async function resultOf(site: HarmonizeSite, id: string, reading: number) {
  const [result] = await rowsOf<Omit<Result, "cpuMs"> & { matched: number; right: number; failed: number }>(
    site,
    `SELECT count(*)::int AS listings,
            $2::float8 AS reading, extract(epoch FROM h.matched_at - h.created_at)::float8 - $2 AS matching,
            (count(l.best_id) / count(*)::float8) AS answered,
            (count(*) FILTER (WHERE l.best_id = ${TRUTH}) / count(*)::float8) AS "rightFirst",
            (count(*) FILTER (WHERE ${OUTCOME.text} = 'matched'))::int AS matched,
            (count(*) FILTER (WHERE ${OUTCOME.text} = 'matched' AND ${MATCHED_VENUE.text} = ${TRUTH}))::int AS right,
            (count(*) FILTER (WHERE ${OUTCOME.text} = 'failed'))::int AS failed
       FROM app.listing l JOIN app.harmonization h ON h.id = l.harmonization_id WHERE h.id = $1 GROUP BY h.id`,
    [id, reading],
  );
  if (!result) throw new Error("The harmonization is gone.");
  return result;
}

const [SAMPLE, AT_ONCE] = [2000, 4];

/** Searches for some listings one by one, and counts those whose best venue or score is not the stored one. */
export async function differFromSingle(site: HarmonizeSite, id: string, listings: number) {
  const { baseUrl, credentials } = site;
  const rows = await rowsOf<{ query: Query; best_id: string | null; score: number | null }>(
    site,
    `SELECT query, best_id, score FROM app.listing
      WHERE harmonization_id = $1 AND status = 'asked' AND number % $2 = 0 ORDER BY number LIMIT $3`,
    [id, Math.max(1, Math.floor(listings / SAMPLE)), SAMPLE],
  );
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const common = { ...credentials, intent: "match", minScore: String(WORTH_A_LOOK), limit: String(MOST_CANDIDATES) };
  const isSame = async ({ query, best_id, score }: (typeof rows)[number]) => {
    const given = listingParameters(asListing(query)) as Record<string, string>;
    const body = await ask(`${baseUrl}/v2/venues/search?${new URLSearchParams({ ...common, ...given })}`, agent);
    const alone = assess(foundVenues(venueSearchResponse.parse(JSON.parse(body).response)));
    return alone.bestId === best_id && alone.score === score;
  };
  const same = await Promise.all(rows.map(isSame)).finally(() => agent.destroy());
  return { asked: rows.length, different: same.filter((each) => !each).length };
}

/** On a connection that waits: those of the programs give a statement a second, too little for a million rows. */
async function rowsOf<R extends pg.QueryResultRow>({ deps }: HarmonizeSite, text: string, values: unknown[]) {
  const client = new pg.Client(deps.databaseUrl);
  await client.connect();
  return (await client.query<R>(text, values).finally(() => client.end())).rows;
}
