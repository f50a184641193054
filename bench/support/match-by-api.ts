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

/** The first venue of a response. */
interface First {
  venue: string;
  /** 0 if there is no venue. */
  score: number;
  confident: boolean;
}

export interface Matched {
  /** By listing. */
  firsts: Map<string, First>;
  match: Latency;
  /** The same number of requests to a constant server: the limit of HTTP. */
  limit: Latency;
}

/** Imports the set's directory into its own database, and searches it over HTTP for each listing. */
export function matchByApi(set: PlacedSet): Promise<Matched> {
  return withScratch(async (scratch) => {
    say(`${set.name}: importing ${set.directory.length} venues…`);
    const file = path.join(scratch.folder, "directory.ndjson");
    writeFileSync(file, set.directory.map(({ category, ...venue }) => `${JSON.stringify(venue)}\n`).join(""));
    const { answer } = await samespot(scratch, ["import", file, "--keep-ids"]);
    if (answer.imported !== set.directory.length) say(`${set.name}: only ${answer.imported} were imported.`);
    return withDirectory(scratch, (client) => searchAll(set, client));
  });
}

/** The answers to the listings of a set, in their order, by its truth. */
export function answersOf({ listings, truth }: PlacedSet, firsts: Matched["firsts"]): Answer[] {
  return listings.map(({ id }) => {
    const right = truth.get(id) ?? new Set();
    const { venue, score, confident } = firsts.get(id) ?? NOTHING;
    return { score, confident, isRight: right.has(venue), hasRight: right.size > 0 };
  });
}

const NOTHING: First = { venue: "", score: 0, confident: false };

async function searchAll({ name, listings }: PlacedSet, client: Client): Promise<Matched> {
  say(`${name}: matching ${listings.length} listings…`);
  const limit = await withConstantServer((url) =>
    measureLatency(
      listings.map(() => `${url}/`),
      { connections: CONNECTIONS },
    ),
  );
  const firsts = new Map<string, First>();
  const check = (body: string, index: number) => {
    firsts.set(listings[index]?.id ?? "", firstOf(body));
  };
  const urls = listings.map((listing) => `${client.baseUrl}/v2/venues/search?${queryOf(listing, client)}`);
  const match = await measureLatency(urls, { connections: CONNECTIONS, check });
  return { firsts, match, limit };
}

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

function firstOf(body: string): First {
  const { venues, confident } = JSON.parse(body).response as Response;
  const [first] = venues;
  return { venue: first?.id ?? "", score: first?.score ?? 0, confident };
}

interface Response {
  venues: { id: string; score: number }[];
  confident: boolean;
}
