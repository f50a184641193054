import { Agent } from "node:http";
import path from "node:path";
import type pg from "pg";
import { openDatabase } from "../../src/db/database.ts";
import { venueId } from "../../src/directory/import/venue-row.ts";
import { candidatesOf } from "../../src/directory/venues/candidates.ts";
import { nearestVenues } from "../../src/directory/venues/nearest.ts";
import { ask } from "./latency.ts";
import { type ChosenListing, chooseListings } from "./listings.ts";
import { type Client, withConstantServer, withDirectory, withTutorialServer } from "./programs.ts";
import type { Scratch } from "./scratch.ts";
import { addStack, addTutorial, SOURCE, STACK, settle, sizedDatabase, venuesOf } from "./sized.ts";
import { openRtree } from "./sqlite-rtree.ts";

/** One way to search venues of one size. */
export interface Contender {
  name: string;
  /** Searches for listing `index`; the result tells whether the right venue came first. */
  ask: (index: number) => Promise<() => boolean>;
  knowsRight?: boolean;
  isSlow?: boolean;
  connections?: number;
}

/** Imported venues with running servers. */
export interface Size {
  rows: number;
  listings: ChosenListing[];
  client: Client;
  url: string;
  constant: string;
  pool: pg.Pool;
  agent: Agent;
  /** Peers, up to LARGEST_PEER rows: the tutorial server's address, and the R*Tree. */
  tutorial?: string;
  rtree?: Awaited<ReturnType<typeof openRtree>>;
}

/** Building the indexes of larger peers would take half an hour. */
const LARGEST_PEER = 1_000_000;

interface Plan {
  sizes: number[];
  queries: number;
  data?: string | undefined;
}

/** Runs `work` with all sizes ready at once, so that their rounds can alternate. */
export async function withSizes<R>(scratch: Scratch, plan: Plan, work: (sizes: Size[]) => Promise<R>): Promise<R> {
  const ready: Size[] = [];
  const next = async (rest: number[], constant: string): Promise<R> => {
    const [rows, ...others] = rest;
    if (rows === undefined) return work(ready);
    return withSize(scratch, { ...plan, rows, constant }, (size) => {
      ready.push(size);
      return next(others, constant);
    });
  };
  return withConstantServer((constant) => next(plan.sizes, constant));
}

async function withSize<R>(
  scratch: Scratch,
  { rows, queries, data, constant }: Omit<Plan, "sizes"> & { rows: number; constant: string },
  work: (size: Size) => Promise<R>,
): Promise<R> {
  const sized = await sizedDatabase(scratch, rows, data);
  const listings = await chooseListings(venuesOf(rows, data), rows, queries);
  await addStack(sized);
  const { pool, close } = openDatabase(sized.url);
  const agent = new Agent({ keepAlive: true });
  const common = { rows, listings, url: sized.url, constant, pool, agent };
  try {
    return await withDirectory(sized, async (client) => {
      if (rows <= LARGEST_PEER) await addTutorial(sized);
      await settle(sized);
      if (rows > LARGEST_PEER) return work({ ...common, client });
      const rtree = await openRtree(path.join(scratch.folder, `${rows}.sqlite`), venuesOf(rows, data));
      return withTutorialServer(sized, (tutorial) => work({ ...common, client, tutorial, rtree })).finally(rtree.close);
    });
  } finally {
    agent.destroy();
    await close();
  }
}

/** Like the peers, regardless of the score. */
const BEST_TWO = { minScore: "0", limit: "2" };

export function contendersOf(size: Size): Contender[] {
  const { listings, pool, client, constant, tutorial, rtree } = size;
  const listing = (index: number) => listings[index % listings.length] as ChosenListing;
  const isRight = (index: number, id: unknown) => id === venueId(SOURCE, listing(index).venue);
  const get = async (address: string, index: number) => {
    const body = await ask(address, size.agent);
    return () => isRight(index, JSON.parse(body).response.venues?.[0]?.id);
  };
  const search = (parameters: Record<string, string>, index: number) =>
    get(`${client.baseUrl}/v2/venues/search?${new URLSearchParams({ ...parameters, ...client.credentials })}`, index);
  const ll = (index: number) => `${listing(index).lat.toFixed(6)},${listing(index).lng.toFixed(6)}`;
  const match = (index: number) => {
    const { name, address, phone } = listing(index);
    const known = { ...(address && { address }), ...(phone && { phone }) };
    return search({ intent: "match", ...BEST_TWO, name, ll: ll(index), ...known }, index);
  };
  const atStack = { intent: "match", ...BEST_TWO, ll: `${STACK.lat},${STACK.lng}` };
  const never = () => false;
  const ours: Contender[] = [
    { name: "constant answer", ask: (index) => get(`${constant}/`, index) },
    { name: "match", knowsRight: true, ask: match },
    { name: "match, one by one", connections: 1, isSlow: true, ask: match },
    { name: "statement alone", ask: async (index) => candidatesOf(pool, listing(index)).then(() => never) },
    { name: "30 nearest", ask: (index) => search({ ll: ll(index) }, index) },
    { name: "nearest alone", ask: (index) => nearestVenues(pool, { center: listing(index) }, 30).then(() => never) },
    { name: "text", ask: (index) => search({ ll: ll(index), query: longestWord(listing(index).name) }, index) },
    {
      name: "20,000 namesakes",
      connections: 1,
      isSlow: true,
      ask: (index) => search({ ...atStack, name: `ATM ${1 + index}` }, index),
    },
  ];
  const peers: Contender[] = [];
  for (const way of tutorial ? ["radius", "trigram"] : [])
    peers.push({
      name: `tutorial by ${way}`,
      knowsRight: true,
      isSlow: true,
      ask: (index) => {
        const { name, lat, lng } = listing(index);
        return get(`${tutorial}/${way}?${new URLSearchParams({ name, lat: String(lat), lng: String(lng) })}`, index);
      },
    });
  if (rtree)
    peers.push({
      name: "SQLite R*Tree, in process",
      knowsRight: true,
      isSlow: true,
      connections: 1,
      ask: async (index) => {
        const found = rtree.search(listing(index));
        return () => found === listing(index).venue;
      },
    });
  return [...ours, ...peers];
}

const longestWord = (name: string) => name.split(" ").reduce((a, b) => (b.length > a.length ? b : a), "");
