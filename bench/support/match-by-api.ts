import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Placed } from "./candidates.ts";
import { type Latency, measureLatency } from "./latency.ts";
import { type Client, samespot, withConstantServer, withDirectory } from "./programs.ts";
import type { Answer } from "./quality.ts";
import { say } from "./report.ts";
import { withScratch } from "./scratch.ts";
import type { PlacedSet } from "./town-points.ts";

const CONNECTIONS = 8;

export interface Matched {
  /** In the order of the listings. */
  answers: Answer[];
  match: Latency;
  /** The same number of requests to a server that always answers the same: the limit of what HTTP allows. */
  limit: Latency;
}

/** Imports the set's directory into one of its own and searches it for each listing, by HTTP. */
export function matchByApi(set: PlacedSet): Promise<Matched> {
  return withScratch(async (scratch) => {
    say(`${set.name}: importing ${set.directory.length} venues…`);
    const file = path.join(scratch.folder, "directory.ndjson");
    writeFileSync(file, set.directory.map(({ category, ...venue }) => `${JSON.stringify(venue)}\n`).join(""));
    const { answer } = await samespot(scratch, ["import", file, "--keep-ids"]);
    if (answer.imported !== set.directory.length) say(`${set.name}: ${answer.imported} only were imported.`);
    return withDirectory(scratch, (client) => searchAll(set, client));
  });
}

async function searchAll({ name, listings, truth }: PlacedSet, client: Client): Promise<Matched> {
  say(`${name}: matching ${listings.length} listings…`);
  const limit = await withConstantServer((url) =>
    measureLatency(
      listings.map(() => `${url}/`),
      { connections: CONNECTIONS },
    ),
  );
  const answers: Answer[] = [];
  const check = (body: string, index: number) => {
    const right = truth.get(listings[index]?.id ?? "") ?? new Set();
    answers[index] = { ...firstOf(body, right), hasRight: right.size > 0 };
  };
  const urls = listings.map((listing) => `${client.baseUrl}/v2/venues/search?${queryOf(listing, client)}`);
  const match = await measureLatency(urls, { connections: CONNECTIONS, check });
  return { answers, match, limit };
}

/** All that the listing says and the interface takes. */
function queryOf(
  { name, lat, lng, address, city, state, zip, phone }: Placed,
  { credentials }: Client,
): URLSearchParams {
  const said = Object.entries({ address, city, state, zip, phone }).filter(
    (each): each is [string, string] => !!each[1],
  );
  const parameters = { intent: "match", name, ll: `${lat.toFixed(7)},${lng.toFixed(7)}`, minScore: "0", limit: "5" };
  return new URLSearchParams({ ...parameters, ...Object.fromEntries(said), ...credentials });
}

function firstOf(body: string, right: Set<string>) {
  const { venues, confident } = JSON.parse(body).response as Response;
  const [first] = venues;
  return { score: first?.score ?? 0, isRight: right.has(first?.id ?? ""), confident };
}

interface Response {
  venues: { id: string; score: number }[];
  confident: boolean;
}
